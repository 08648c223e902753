import { sql } from 'kysely';
import type { Db } from '../../src/platform/database/database.ts';

/** One attempt as the log of its delivery has it; null where that holds nothing. */
export interface Attempt {
  url: string;
  event_id: string;
  status: number | null;
  error: string | null;
  response: string;
  milliseconds: number;
}

/** Every attempt that is written down, of all subscriptions. */
export async function findAttempts(db: Db): Promise<Attempt[]> {
  const { rows } = await sql<Attempt>`
    select s.url, d.event_id, a.status, a.error, a.response, a.milliseconds
    from webhooks.deliveries d
      join webhooks.subscriptions s on s.id = d.subscription_id,
      jsonb_to_recordset(d.attempts) a (
        time timestamptz, status int, error text, response text, milliseconds int)
    order by a.time`.execute(db);
  return rows;
}
