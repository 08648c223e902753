import { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { fastify } from 'fastify';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { send } from '../platform/exchange.ts';
import { ourTargets, targetFinder } from './documents.ts';
import { takeFaults } from './faults.ts';
import { PATH, THINGS } from './things.ts';
import { watchApp, watchProcess } from './watch.ts';

const t = await sharedApp();
const teapot: RequestListener = (_request, response) => void response.writeHead(418).end();
const REFUSED = 'GET /stations (get-stations) answers the undocumented status 418';

describe('an application', () => {
  const SECRET = 'GET /things/{id} (get-thing) 200: the body has the undocumented member "secret"';
  let app = fastify();

  beforeEach(async () => {
    app = fastify();
    const wrong = ['{"id":1,', '"secret":2}'];
    app.get('/v1/things/:id', async (request, reply) => {
      const { id } = request.params as { id: string };
      reply.type('application/json').header('etag', '"a"');
      if (id === 'right') return reply.send('{"id":1}');
      return reply.send(id === 'streamed' ? Readable.from(wrong) : wrong.join(''));
    });
    app.get('/elsewhere', async () => ({ secret: 2 }));
    await app.ready();
    watchApp(app, targetFinder([{ base: '/v1', document: THINGS }]));
  });
  afterEach(() => app.close());

  it('that answers what the document does not have fails the call of inject', async () => {
    expect((await app.inject('/v1/things/right')).statusCode).toBe(200);
    expect((await app.inject('/elsewhere')).statusCode).toBe(200);
    for (const id of ['wrong', 'streamed'])
      await expect(app.inject(`/v1/things/${id}`)).rejects.toThrow(SECRET);
    expect(takeFaults()).toEqual([]);
  });

  it('that does so over a socket fails the test', async () => {
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    for (const path of ['/v1/things/right', '/elsewhere']) await fetch(url + path);
    expect(takeFaults()).toEqual([]);
    for (const id of ['wrong', 'streamed']) {
      await (await fetch(`${url}/v1/things/${id}`)).text();
      expect(takeFaults()).toEqual([SECRET]);
    }
    const { body } = await send(url, { path: PATH });
    expect(body).toContain('secret');
    expect(takeFaults()).toEqual([SECRET]);
  });

  it.fails('and this test, which asks and does not look, is one that fails', async () => {
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    await fetch(`${url}/v1/things/wrong`);
  });
});

describe('Quartet', () => {
  it('is watched where a test injects', async () => {
    const trip_id = await t.given.trip();
    const headers = { ...(await t.as()), 'idempotency-key': 'wrong' };
    const payload = { trip_id, passenger_name: 'John Doe' };
    const book = () => t.inject({ method: 'POST', url: '/bookings', headers, payload });
    expect((await book()).statusCode).toBe(201);
    await sql`update platform.idempotency_keys set body = '{"secret":1,' || ltrim(body, '{')`.execute(
      t.db,
    );
    await expect(book()).rejects.toThrow(
      'POST /bookings (create-booking) 201: the body has the undocumented member "secret"',
    );
  });

  it('is watched where a test uses its socket', async () => {
    const url = await t.listen();
    const { server } = t.app;
    const [watch, ...own] = server.listeners('request') as RequestListener[];
    for (const listener of own) server.off('request', listener);
    server.on('request', teapot);
    expect(watch).toBeDefined();
    await fetch(`${url}/stations`);
    expect(takeFaults()).toEqual([REFUSED]);
  });

  it('is watched where it is a process of its own', async () => {
    const server = createServer(teapot).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const child = new ChildProcess();
    await watchProcess(child, origin, { RATE_LIMIT_MAX: 'wrong' });
    await fetch(`${origin}/stations`);
    await fetch(`${origin}/elsewhere`);
    expect(takeFaults()).toEqual([REFUSED]);
    // Whoever has the port after it is somebody else.
    child.emit('exit');
    await fetch(`${origin}/stations`);
    server.close();
    expect(takeFaults()).toEqual([]);
  });

  it.each([
    ['/v3/pets/7', '/pets/{petId}', {}],
    ['/v3/pet/7?x=/y', '/pets/{petId}', {}],
    ['/api/v3/pet/findByStatus', '/pets/findByStatus', {}],
    ['/shop/pet/7', '/pets/{petId}', { PETSTORE_BASE_PATH: '/shop' }],
    ['http://other.example/trips', '/trips', {}],
    ['/%74rips#now', '/trips', {}],
    ['/', '/', {}],
    ['/learn/', '/', { LEARNING_BASE_PATH: '/learn' }],
    ['/', undefined, { LEARNING_BASE_PATH: '/learn' }],
    ['/trips', undefined, { TRAIN_BASE_PATH: '/trains' }],
    ['/trips/1/2', undefined, {}],
    ['/trips/%', undefined, {}],
    ['/trip', undefined, {}],
  ])('answers %s as %s', async (url, path, bases) => {
    const find = await ourTargets({ ...t.config, ...bases });
    expect(find('GET', url)?.path).toBe(path);
  });
});
