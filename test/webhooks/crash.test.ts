import { describe, expect, it } from 'vitest';
import { createDatabase } from '../harness.ts';
import { surviveKills } from './kills.ts';

/** As many as a test run has time for; `npm run bench -- crash` does 200. */
const KILLS = 4;
const NO_FAULTS = {
  bookingsLost: [],
  eventsLost: [],
  eventsOfNothing: [],
  eventsTwice: [],
  notSucceeded: [],
};

describe('kill -9 at random moments', () => {
  it('loses no acknowledged booking and no event of one, and makes none up', async () => {
    await using database = await createDatabase();
    const survival = await surviveKills(database.env, KILLS);
    expect(survival.faults).toEqual(NO_FAULTS);
    expect(survival.acknowledged).toBeGreaterThan(KILLS);
  }, 120_000);
});
