import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { readdir } from 'node:fs/promises';
import { loadConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createLog } from '../../src/platform/operations/log.ts';
import { ENGINE } from '../harness.ts';
import { demoToken, emptyDatabase, startProgram } from './program.ts';

describe.runIf(ENGINE === 'postgresql')(
  'three processes that start at once on one empty database',
  () => {
    it('all become ready, on one schema, one catalogue, one timetable and one set of keys', async () => {
      await using database = await emptyDatabase();
      const env = {
        ...database.env,
        LOG_LEVEL: 'warn',
        TIMETABLE_DAYS: '2',
        PUBLIC_URL: 'https://quartet.example',
      };
      const programs = await Promise.all([1, 2, 3].map(() => startProgram(env)));
      try {
        await Promise.all(programs.map((program) => program.ready()));
        for (const program of programs) expect(program.stderr()).toBe('');

        // A token of one is good at the others.
        const headers = await demoToken(programs[0]?.url ?? '');
        for (const { url } of programs)
          expect((await fetch(`${url}/bookings`, { headers })).status).toBe(200);

        const opened = await openDatabase(loadConfig(env), createLog('silent'));
        const count = async (from: string) =>
          (
            await sql<{ n: number }>`select count(*)::int as n from ${sql.raw(from)}`.execute(
              opened.db,
            )
          ).rows[0]?.n;
        expect(await count('public.quartet_migrations')).toBe((await readdir('migrations')).length);
        expect(await count('oauth.signing_keys')).toBe(1);
        expect(await count('oauth.accounts')).toBe(1);
        expect(await count('train.stations')).toBe(
          await count('(select distinct name, latitude, longitude from train.stations) s'),
        );
        expect(await count('train.services')).toBe(
          await count(
            '(select distinct operator, origin_id, destination_id, departs, weekdays from train.services) s',
          ),
        );
        expect(await count('train.trips where service_id is not null')).toBeGreaterThan(100);
        expect(await count('train.trips where service_id is not null')).toBe(
          await count(
            '(select distinct service_id, departure_time from train.trips where service_id is not null) t',
          ),
        );
        await opened.close();
      } finally {
        await Promise.all(programs.map((program) => program[Symbol.asyncDispose]()));
      }
    });
  },
);
