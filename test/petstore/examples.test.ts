import type { InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { hashPassword } from '../../src/platform/access/passwords.ts';
import { PETSTORE_DETAILS, petstoreExamples } from '../../src/petstore/examples.ts';
import { insertImage } from '../../src/petstore/images/images.queries.ts';
import { insertOrder } from '../../src/petstore/orders.queries.ts';
import { insertPet } from '../../src/petstore/pets.queries.ts';
import type { Pet } from '../../src/petstore/pets.schemas.ts';
import { insertUsers } from '../../src/petstore/users.queries.ts';
import type { User } from '../../src/petstore/users.schemas.ts';
import {
  casesOf,
  type Document,
  operationsOf,
  unmatchedExamples,
  sendExample,
  sendParameterExamples,
} from '../documents/examples.ts';
import { sharedApp } from '../harness.ts';
import { png } from './images.ts';
import { KEY } from './requests.ts';

const t = await sharedApp();
const document = (await t.inject({ url: '/openapi/petstore.json' })).json() as Document;
const examples = petstoreExamples('http://127.0.0.1:3000/v3');
const operations = operationsOf(document);
const idOf = { image: '0190f3a2-7c1e-7b4a-9d3e-5f6a7b8c9d0e' };

const answerOf = (operationId: string) => examples[operationId]?.[0]?.answer;
const passwordHash = await hashPassword('demo');

/** The demo's data as it was at first. */
async function restore(): Promise<void> {
  await sql`delete from petstore.pets where id = 1 or id > 10`.execute(t.db);
  await sql`delete from petstore.orders where id = 3 or id > 10`.execute(t.db);
  await sql`delete from petstore.users where id = 1 or id > 10`.execute(t.db);
  for (const ids of ['pets_id', 'orders_id', 'users_id'])
    await sql`alter sequence ${sql.id('petstore', ids)} restart`.execute(t.db);
  await insertPet(t.db, answerOf('getPetById') as Pet);
  const order = { id: 3, petId: 1, quantity: 50, status: 'delivered', complete: true } as const;
  await insertOrder(t.db, order);
  const user = { ...(answerOf('getUserByName') as User), passwordHash };
  await insertUsers(t.db, [user], { isDemo: true });
}

async function logIn(): Promise<{ authorization: string }> {
  const answer = await t.inject({ url: '/v3/user/login?username=user1&password=demo' });
  return { authorization: `Bearer ${answer.json().split(':')[1]}` };
}

const addImage = () =>
  insertImage(t.db, {
    id: idOf.image,
    petId: 1,
    mediaType: 'image/png',
    bytes: png(),
    sha256: Buffer.alloc(32),
    metadata: undefined,
  });

const OF_SESSIONS = ['logoutUser', 'createUser', 'updateUser', 'deleteUser'];
const PUBLIC = ['loginUser', 'createUsersWithListInput', 'getUserByName'];

const sender = {
  base: '/v3',
  authorize(operationId: string) {
    if (OF_SESSIONS.includes(operationId)) return logIn();
    return PUBLIC.includes(operationId) || /order|image/i.test(operationId) ? {} : KEY;
  },
  prepare: {
    ...Object.fromEntries(operations.map(({ operation }) => [operation.operationId, restore])),
    getImage: () => restore().then(addImage),
  },
  made: /petstore_session_[\w-]{43}/g,
};

test.each(casesOf(document, examples))(
  '%s is answered as the document shows',
  (_, found, example) => {
    // Bytes are not shown; these are the ones that the answer speaks of.
    const body = found.operation.operationId === 'uploadFile' ? { body: png() } : {};
    return sendExample(t, found, { ...example, ...body }, sender);
  },
);

test('every example of a parameter is one', () => sendParameterExamples(t, document, sender));

test('problems say what the document shows', async () => {
  const pet = { method: 'POST', url: '/v3/pets', payload: '' } as const;
  const text = { ...KEY, 'content-type': 'text/plain' };
  const requests: Record<keyof typeof PETSTORE_DETAILS, InjectOptions> = {
    unauthorized: pet,
    'not-found': { url: '/v3/pets/404', headers: KEY },
    forbidden: { ...pet, headers: await t.as('reader', 'read:pets') },
    'not-acceptable': { url: '/v3/pets/1', headers: { ...KEY, accept: 'image/png' } },
    'unsupported-media-type': { ...pet, payload: 'doggie', headers: text },
  };
  for (const [slug, request] of Object.entries(requests)) {
    const { type, detail } = (await t.inject(request)).json();
    expect(type).toMatch(new RegExp(`/${slug}$`));
    expect(detail).toBe(PETSTORE_DETAILS[slug as keyof typeof requests]);
  }
});

test('every operation has an example', () =>
  expect(unmatchedExamples(document, examples)).toEqual([]));
