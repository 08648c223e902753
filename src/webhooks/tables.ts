import type { Generated } from 'kysely';

export type EventType = 'newBooking' | 'publishNewEvent';
export type DeliveryState = 'pending' | 'succeeded' | 'failed';

export interface SubscriptionsTable {
  id: string;
  event_type: EventType;
  owner: string;
  receives_all: boolean;
  url: string;
  description: string | null;
  headers: Record<string, string>;
  is_enabled: Generated<boolean>;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_until: Date | null;
  disabled_reason: string | null;
  disabled_at: Date | null;
  failing_since: Date | null;
  created_at: Generated<Date>;
}

/** One attempt, as the log of a delivery keeps it. */
export interface AttemptLog {
  /** RFC 3339. */
  time: string;
  milliseconds: number;
  /** Absent where no answer came. */
  status?: number;
  /** Absent where it succeeded. */
  error?: string;
  /** The first 16 KiB of the answer. */
  response: string;
}

declare module '../platform/database/database.ts' {
  interface Tables {
    'webhooks.subscriptions': SubscriptionsTable;
  }
}
