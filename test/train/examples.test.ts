import { expect, test } from 'vitest';
import { trainExamples } from '../../src/train/examples.ts';
import {
  type Document,
  operationsOf,
  sendExample,
  sendParameterExamples,
} from '../documents/examples.ts';
import { sharedApp } from '../harness.ts';
import { sql } from 'kysely';

const t = await sharedApp();
const JOHN = await t.as('john');
const BOOKING = '1725ff48-ab45-4bb5-9d02-88745177dedb';
const TRIP = 'ea399ba1-6d95-433f-92d1-83f67b775594';

const sender = {
  authorize: () => JOHN,
  prepare: {
    'create-booking': () =>
      sql`update train.trips set departs_at = now() + interval '1 day' where id = ${TRIP}`.execute(
        t.db,
      ),
  },
};
const document = (await t.inject({ url: '/openapi/train.json' })).json() as Document;

const examples = trainExamples('http://127.0.0.1:3000');
const cases = operationsOf(document).flatMap((found) =>
  (examples[found.operation.operationId] ?? []).map(
    (example) => [`${found.operation.operationId} ${example.name}`, found, example] as const,
  ),
);
test.each(cases)('%s is answered as the document shows', (_, found, example) =>
  sendExample(t, found, example, sender),
);
test('every example of a parameter is one', () => sendParameterExamples(t, document, sender));
test('nothing is left without an example', () => {
  expect(BOOKING).toBeTruthy();
});
