// Subscribes to newBooking as the demo client, and prints every event once it is verified.
//   npx node examples/receiver.ts [server, default http://127.0.0.1:3000]
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { Webhook } from 'standardwebhooks';

const quartet = process.argv[2] ?? 'http://127.0.0.1:3000';
const own = 'http://127.0.0.1:4000';
const path = `/${randomUUID()}`;
const keys = createRemoteJWKSet(new URL(`${quartet}/oauth/jwks`));

/** Posts what a form or JSON needs, and answers the JSON that comes back. */
async function post(path: string, authorization: string, body: URLSearchParams | object) {
  const isForm = body instanceof URLSearchParams;
  const headers = { authorization, ...(!isForm && { 'content-type': 'application/json' }) };
  const init = { method: 'POST', headers, body: isForm ? body : JSON.stringify(body) };
  const answer = await fetch(`${quartet}${path}`, init);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Record<string, string>;
}
const grant = new URLSearchParams({ grant_type: 'client_credentials', scope: 'read write' });
const token = await post('/oauth/token', `Basic ${btoa('quartet-demo:demo-secret')}`, grant);
const bearer = `Bearer ${token['access_token']}`;
const made = await post('/webhooks/newBooking/subscriptions', bearer, { url: own + path });
const webhook = new Webhook(made['secret'] ?? '');

createServer(async (request, response) => {
  if (request.url !== path) return response.writeHead(410).end(); // of an earlier run: ends it
  const body = Buffer.concat(await request.toArray()).toString();
  try {
    const jwt = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    await jwtVerify(jwt, keys, { issuer: quartet, audience: own, typ: 'at+jwt' });
    console.log(webhook.verify(body, request.headers as Record<string, string>));
    response.writeHead(200).end();
  } catch (error) {
    console.error('refused:', (error as Error).message);
    response.writeHead(401).end();
  }
}).listen(4000, '127.0.0.1', () => console.log('Subscribed; now book a trip.'));
