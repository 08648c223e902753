import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { EXAMPLE_TICKETS, museumExamples } from '../../src/museum/examples.ts';
import { insertExampleEvents } from '../../src/museum/events.queries.ts';
import { EXAMPLE_EVENTS } from '../../src/museum/seed/examples.ts';
import { inCamelCase } from '../../src/museum/webhooks.ts';
import {
  casesOf,
  type Document,
  unmatchedExamples,
  sendExample,
  sendParameterExamples,
  type Sender,
} from '../documents/examples.ts';
import { CURATOR, MERMAIDS } from '../given.ts';
import { sharedApp } from '../harness.ts';
import { prepareWebhooks, resetSubscriptions } from '../webhooks/fixtures.ts';

const PUBLIC_URL = 'http://127.0.0.1:3000';
const t = await sharedApp();
const webhooks = {
  publicUrl: PUBLIC_URL,
  baseUrl: PUBLIC_URL,
  eventType: 'publishNewEvent' as const,
  operationId: inCamelCase,
};

beforeEach(async () => {
  await sql`delete from museum.tickets`.execute(t.db);
  await sql`delete from museum.events`.execute(t.db);
  await t.db.transaction().execute((tx) => insertExampleEvents(tx, EXAMPLE_EVENTS));
  for (const ticket of Object.values(EXAMPLE_TICKETS))
    await sql`
      insert into museum.tickets (id, type, date, event_id, confirmation_code)
      values (${ticket.ticketId}, ${ticket.ticketType}, ${ticket.ticketDate},
              ${'eventId' in ticket ? ticket.eventId : null}, ${ticket.confirmationCode})`.execute(
      t.db,
    );
  await resetSubscriptions(t.db, 'curator', webhooks);
});

const sender: Sender = {
  authorize: () => CURATOR,
  // It is signed anew.
  made: /(?<="pkpassFile":")UEsDB[^"]+/g,
  prepare: {
    'getTicket void': () =>
      sql`update museum.events set cancelled_at = now() where id = ${MERMAIDS}`.execute(t.db),
    ...prepareWebhooks(t.db, 'curator', webhooks),
  },
};

const document = (await t.inject({ url: '/openapi/museum.json' })).json() as Document;
const examples = museumExamples(PUBLIC_URL, PUBLIC_URL);

test.each(casesOf(document, examples))('%s is answered as the document shows', (_, ...example) =>
  sendExample(t, ...example, sender),
);

test('every example of a parameter is one', () => sendParameterExamples(t, document, sender));

test('every operation has an example', () =>
  expect(unmatchedExamples(document, examples)).toEqual([]));
