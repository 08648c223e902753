import type { Db } from '../../platform/database/database.ts';
import { hashPassword } from '../../platform/access/passwords.ts';
import { seedOnce } from '../../platform/database/seeds.queries.ts';
import { insertExampleEvents } from '../events.queries.ts';
import { EXAMPLE_EVENTS } from './examples.ts';
import { holidaysOf } from './holidays.ts';
import { findToday, setException } from '../hours.queries.ts';
import { insertStaff } from '../staff/staff.queries.ts';

const CURATOR = { name: 'curator', password: 'demo' };

/** The holidays of a year from today on, once: from then on they are the staff's to keep. */
export async function seedHours(db: Db, timezone: string): Promise<void> {
  await seedOnce(db, 'museum hours', 'the first year', async (tx) => {
    const today = await findToday(tx, timezone);
    const year = Number(today.slice(0, 4));
    const end = `${year + 1}${today.slice(4)}`;
    for (const { date, hours, reason } of [year, year + 1].flatMap(holidaysOf))
      if (date >= today && date <= end) await setException(tx, date, hours, reason);
  });
}

/** The published events, and one member of staff. They do not exist where NODE_ENV is production. */
export async function seedDemoMuseum(db: Db): Promise<void> {
  await seedOnce(db, 'museum demo', JSON.stringify([CURATOR, EXAMPLE_EVENTS]), async (tx) => {
    await insertExampleEvents(tx, EXAMPLE_EVENTS);
    const passwordHash = await hashPassword(CURATOR.password);
    await insertStaff(tx, { name: CURATOR.name, passwordHash, isDemo: true });
  });
}
