import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { CURATOR, MERMAIDS } from '../given.ts';
import { sharedApp } from '../harness.ts';

const t = await sharedApp();

const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });
const date = fc.oneof(
  fc.constantFrom(
    '2023-09-05',
    '0000-01-01',
    '0001-01-01',
    '9999-12-31',
    '2023-02-29',
    '-0001-01-01',
  ),
  fc.constantFrom('infinity', 'today', 'epoch', '2023-09-05 BC', '20230905', '٢٠٢٣-٠٩-٠٥'),
  json,
);
const text = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.constantFrom('\u0000', '\ud800', "'; drop table museum.events; --", '\u202e', '{}', '%s'),
  json,
);
const event = fc.record(
  {
    name: text,
    location: text,
    eventDescription: text,
    dates: fc.oneof(fc.array(date, { minLength: 1 }), json),
    price: fc.oneof(fc.double(), fc.constantFrom(0, -0, 1e-9, 1e308, 0.1 + 0.2), json),
    eventId: json,
  },
  { requiredKeys: [] },
);
const ticket = fc.record(
  {
    ticketType: fc.oneof(fc.constantFrom('event', 'general'), json),
    ticketDate: date,
    eventId: fc.oneof(fc.constant(MERMAIDS), fc.uuid(), json),
    email: fc.oneof(fc.emailAddress(), text),
    phone: text,
  },
  { requiredKeys: [] },
);
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const query = fc
  .tuple(fc.constantFrom('startDate', 'endDate', 'page', 'limit'), date)
  .map(([name, value]) => `?${name}=${encodeURIComponent(textOf(value).toWellFormed())}`);

const request = fc.oneof(
  event.map((payload) => ({ method: 'POST' as const, url: '/special-events', payload })),
  event.map((payload) => ({
    method: 'PATCH' as const,
    url: `/special-events/${MERMAIDS}`,
    payload,
  })),
  ticket.map((payload) => ({ method: 'POST' as const, url: '/tickets', payload })),
  query.map((text) => ({ method: 'GET' as const, url: `/special-events${text}` })),
  query.map((text) => ({ method: 'GET' as const, url: `/museum-hours${text}` })),
  query.map((text) => ({ method: 'GET' as const, url: `/tickets${text}` })),
);

test('whatever is sent, the answer is what the document says, and no fault of ours', async () => {
  const met = new Set<number>();
  await fc.assert(
    fc.asyncProperty(request, async (sent) => {
      const answer = await t.inject({ ...sent, headers: CURATOR });
      met.add(answer.statusCode);
      expect([200, 201, 400, 404], answer.body).toContain(answer.statusCode);
      if (answer.statusCode !== 400) return;
      expect(answer.headers['content-type']).toBe('application/problem+json');
      // Nothing of the database or of a library shows.
      expect(answer.body).not.toMatch(/museum\.|syntax|22\d{3}|schema|Error/);
    }),
    { numRuns: 600 },
  );
  expect(met).toContain(200);
  expect(met).toContain(400);
  const { rows } = await sql`
    select 1 from museum.events
    where name ~ '[[:cntrl:]]' or cardinality(dates) = 0 or price_cents < 0
      or dates <> array(select distinct day from unnest(dates) day order by day)`.execute(t.db);
  expect(rows).toEqual([]);
});
