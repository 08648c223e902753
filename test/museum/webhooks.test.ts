import { Webhook } from 'standardwebhooks';
import { expect, it, vi } from 'vitest';
import { ENGINE, sharedApp } from '../harness.ts';
import { quartet } from '../processes.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const t = await sharedApp();
await t.quartet.webhooks.start();

const PATH = '/webhooks/publishNewEvent/subscriptions';
const CURATOR = { authorization: `Basic ${btoa('curator:demo')}` };
const EVENT = {
  name: 'Dinosaurs at Night',
  location: 'Hall 3',
  eventDescription: 'By torchlight.',
  dates: ['2027-01-01'],
  price: 12.5,
};

it('a new and a changed event reach every subscriber, whoever of the staff made it', async () => {
  await using receiver = await startReceiver((_request, response) => response.writeHead(202).end());
  const { secret, id } = (
    await t.inject({ method: 'POST', url: PATH, headers: CURATOR, payload: { url: receiver.url } })
  ).json();
  const url = '/special-events';
  const made = await t.inject({ method: 'POST', url, headers: CURATOR, payload: EVENT });
  const [first] = await receiver.waitFor(1);
  expect(new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {})).toEqual(made.json());
  // As the API shows it, also in the order of its members.
  expect(first?.body).toBe(made.body);
  const change = {
    method: 'PATCH' as const,
    url: `${url}/${made.json().eventId}`,
    headers: CURATOR,
  };
  await t.inject({ ...change, payload: { price: 15 } });
  const [, second] = await receiver.waitFor(2);
  expect(JSON.parse(second?.body ?? '')).toEqual({ ...made.json(), price: 15 });
  const delivery = { event: { type: 'publishNewEvent' }, attempts: [{ status: 202 }] };
  // An attempt is written down after its answer came.
  await vi.waitFor(async () => {
    const { data } = (await t.inject({ url: `${PATH}/${id}/deliveries`, headers: CURATOR })).json();
    expect(data).toMatchObject([delivery, delivery]);
  });
  const tested = await t.inject({ method: 'POST', url: `${PATH}/${id}/test`, headers: CURATOR });
  expect(tested.statusCode).toBe(202);
  const [, , third] = await receiver.waitFor(3);
  expect(Object.keys(JSON.parse(third?.body ?? ''))).toEqual(Object.keys(made.json()));
});

it('subscriptions are for staff, and each for the one who made it', async () => {
  const payload = { url: 'http://127.0.0.1:9/' };
  const anonymous = await t.inject({ method: 'POST', url: PATH, payload });
  expect(anonymous.statusCode).toBe(401);
  expect(anonymous.headers['www-authenticate']).toMatch(/^Basic realm="museum"/);
  const bearer = await t.inject({ method: 'POST', url: PATH, payload, headers: await t.as() });
  expect(bearer.statusCode).toBe(401);
  const id = await t.given.subscription({ owner: 'somebody else', eventType: 'publishNewEvent' });
  const hers = await t.inject({ url: `${PATH}/${id}`, headers: CURATOR });
  expect(hers.statusCode).toBe(404);
  // Nor is the one event's subscription the other's.
  const booking = await t.given.subscription({ owner: 'curator', eventType: 'newBooking' });
  expect((await t.inject({ url: `${PATH}/${booking}`, headers: CURATOR })).statusCode).toBe(404);
});

// On the embedded engine the command line waits for the server to stop.
it.runIf(ENGINE === 'postgresql')('who is removed from the staff hears nothing more', async () => {
  await quartet(t.databaseEnv, ['staff', 'add', 'grace'], 'a long sentence\n');
  const owner = 'grace';
  const id = await t.given.subscription({ owner, eventType: 'publishNewEvent', receivesAll: true });
  const headers = { authorization: `Basic ${btoa('grace:a long sentence')}` };
  expect((await t.inject({ url: `${PATH}/${id}`, headers })).statusCode).toBe(200);
  await quartet(t.databaseEnv, ['staff', 'remove', 'grace']);
  await quartet(t.databaseEnv, ['staff', 'add', 'grace'], 'a long sentence\n');
  expect((await t.inject({ url: `${PATH}/${id}`, headers })).statusCode).toBe(404);
});
