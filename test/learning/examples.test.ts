import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { LEARNING_DETAILS, learningExamples } from '../../src/learning/document-examples.ts';
import { describeServer } from '../../src/learning/landing/services.ts';
import { exampleId, uuidOf } from '../../src/learning/texts.ts';
import {
  casesOf,
  type Document,
  unmatchedExamples,
  sendExample,
  sendParameterExamples,
} from '../documents/examples.ts';
import { sharedApp } from '../harness.ts';
import { KEY } from './client.ts';

const t = await sharedApp();
const document = (await t.inject({ url: '/openapi/learning.json' })).json() as Document;
const examples = learningExamples(describeServer(t.config));

const QUIZ = uuidOf(exampleId('quiz'));
const CHECKLIST = uuidOf(exampleId('cklst'));
const BADGE = uuidOf(exampleId('badge'));

/** Gives what the demo has made the ids and times that the examples show. */
const STEPS = [
  'alter table learning.activities disable trigger append_only',
  'alter table learning.task_items drop constraint task_items_task_id_fkey',
  'alter table learning.badge_requirements drop constraint badge_requirements_badge_id_fkey',
  'delete from learning.attempts',
  `update learning.activities a set id = shown.id
   from (select b.id as old, ('0190f3a2-7c1e-7b4a-9d3e-' || lpad((row_number() over (order by b.id))::text, 12, '0'))::uuid as id
         from learning.activities b) shown
   where a.id = shown.old`,
  `update learning.task_items i set task_id = case t.type when 'quiz' then '${QUIZ}'::uuid else '${CHECKLIST}'::uuid end
   from learning.tasks t where t.id = i.task_id`,
  `update learning.tasks set created_at = '2024-01-31T16:00:00Z',
     id = case type when 'quiz' then '${QUIZ}'::uuid else '${CHECKLIST}'::uuid end`,
  `update learning.badge_requirements set badge_id = '${BADGE}'`,
  `update learning.badges set id = '${BADGE}', created_at = '2024-01-31T16:00:00Z'`,
  `update learning.assignments set id = '${uuidOf(exampleId('asmt'))}', assigned_at = '2024-02-01T08:30:00Z'`,
  `select learning.derive_attempts(array_agg('abc123'::text), array_agg(id), array_agg('-infinity'::timestamptz))
   from learning.tasks`,
];
for (const step of STEPS) await sql.raw(step).execute(t.db);

const sender = { authorize: (operationId: string) => (operationId === 'GetRoot' ? {} : KEY) };

// What is read is that of the demo: it comes before what adds to it.
const cases = casesOf(document, examples).toSorted(([, a], [, b]) =>
  a.method < b.method ? -1 : 1,
);

test.each(cases)('%s is answered as the document shows', (_, found, example) =>
  sendExample(t, found, example, sender),
);

test('every example of a parameter is one', () => sendParameterExamples(t, document, sender));

test('problems say what the document shows', async () => {
  const unknown = await t.inject({ url: '/users/nobody', headers: KEY });
  expect(unknown.json().detail).toBe(LEARNING_DETAILS['not-found']);
  const anonymous = await t.inject({ url: '/users/nobody' });
  expect(anonymous.json().detail).toBe(LEARNING_DETAILS.unauthorized);
});

test('every operation has an example', () =>
  expect(unmatchedExamples(document, examples)).toEqual([]));
