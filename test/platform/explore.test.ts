import { it } from 'vitest';
import { startApp } from '../harness.ts';
import { connect } from 'node:net';
const raw = (base: string, bytes: string | Buffer) =>
  new Promise<string>((resolve) => {
    const u = new URL(base);
    const s = connect(Number(u.port), u.hostname);
    let out = '';
    s.on('data', (d) => {
      out += d;
    });
    s.on('close', () => resolve(out));
    s.on('error', (e) => {
      out += `<<${e.message}>>`;
    });
    s.write(bytes);
    setTimeout(() => s.destroy(), 1500);
  });
it('x', async () => {
  await using t = await startApp();
  const base = await t.listen();
  console.log(t.app.printRoutes({ commonPrefix: false }));
  const H = 'Host: a\r\nConnection: close\r\n';
  const show = async (name: string, bytes: string | Buffer) =>
    console.log('#### ' + name + '\n' + (await raw(base, bytes)).slice(0, 900));
  await show('garbage', 'hello\r\n\r\n');
  await show('absolute', `GET http://evil/stations?limit=2 HTTP/1.1\r\n${H}\r\n`);
  await show('nohost', `GET /stations?limit=1 HTTP/1.1\r\nConnection: close\r\n\r\n`);
  await show('expect', `GET /livez HTTP/1.1\r\n${H}Expect: banana\r\n\r\n`);
  await show('connect', `CONNECT a:443 HTTP/1.1\r\n${H}\r\n`);
  await show('propfind', `PROPFIND /stations HTTP/1.1\r\n${H}\r\n`);
  await show('query', `QUERY /stations HTTP/1.1\r\n${H}\r\n`);
  await show('options *', `OPTIONS * HTTP/1.1\r\n${H}\r\n`);
  await show('%ZZ', `GET /stations/%ZZ HTTP/1.1\r\n${H}\r\n`);
  await show('?%ZZ', `GET /stations?search=%ZZ HTTP/1.1\r\n${H}\r\n`);
  await show(
    'upgrade',
    `GET /livez HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
  );
  await show('h2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`);
  await show('big header', `GET /livez HTTP/1.1\r\n${H}X-A: ${'a'.repeat(20000)}\r\n\r\n`);
  await show(
    'chunk bad',
    `POST /bookings HTTP/1.1\r\n${H}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n`,
  );
  const h = await t.as();
  const deep = '['.repeat(30000) + ']'.repeat(30000);
  const trip = await t.given.trip();
  const r = await t.inject({
    method: 'POST',
    url: '/bookings',
    headers: { ...h, 'content-type': 'application/json', 'idempotency-key': 'a' },
    payload: `{"id":${deep},"trip_id":"${trip}","passenger_name":"x"}`,
  });
  console.log('deep', r.statusCode, r.body);
  const r2 = await t.inject({ method: 'GET', url: '/stations?search=%00a' });
  console.log('nul', r2.statusCode, r2.body);
  for (let i = 0; i < 10; i++) {
    const e = await fetch(`${base}/bookings`, {
      method: 'POST',
      headers: { ...h, 'content-type': 'application/json' },
      body: 'a'.repeat(1_000_000),
    }).then(
      async (r) => `${r.status} ${await r.text()}`,
      (e) => `ERR ${e.cause}`,
    );
    console.log(e);
  }
  const e = await fetch(`${base}/oauth/token`, {
    method: 'OPTIONS',
    headers: { origin: 'https://x.example', 'access-control-request-method': 'POST' },
  });
  console.log(e.status, [...e.headers], await e.text());
});
