// Subscribes to newBooking as the demo client, and prints every event once it is verified.
//   npx node examples/receiver.ts [server, default http://127.0.0.1:3000]
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { Webhook } from 'standardwebhooks';

const quartet = process.argv[2] ?? 'http://127.0.0.1:3000';
const own = 'http://127.0.0.1:4000';
const path = `/${randomUUID()}`;
const keys = createRemoteJWKSet(new URL(`${quartet}/oauth/jwks`));

async function post<T>(to: string, authorization: string, body: URLSearchParams | string) {
  const headers = { authorization, 'content-type': 'application/json' };
  if (typeof body !== 'string') headers['content-type'] = 'application/x-www-form-urlencoded';
  const answer = await fetch(quartet + to, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as T;
}
const grant = new URLSearchParams({ grant_type: 'client_credentials', scope: 'read write' });
const client = `Basic ${btoa('quartet-demo:demo-secret')}`;
const { access_token } = await post<{ access_token: string }>('/oauth/token', client, grant);
const subscription = JSON.stringify({ url: own + path });
const subscriptions = '/webhooks/newBooking/subscriptions';
const { secret } = await post<{ secret: string }>(
  subscriptions,
  `Bearer ${access_token}`,
  subscription,
);

async function receive(request: IncomingMessage): Promise<number> {
  if (request.url !== path) return 410; // the subscription of an earlier run: this ends it
  const body = Buffer.concat(await request.toArray()).toString();
  const jwt = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
  await jwtVerify(jwt, keys, { issuer: quartet, audience: own, typ: 'at+jwt' });
  console.log(new Webhook(secret).verify(body, request.headers as Record<string, string>));
  return 200;
}
createServer((request, response) => {
  const refuse = (error: Error) => (console.error('refused:', error.message), 401);
  void receive(request)
    .catch(refuse)
    .then((status) => response.writeHead(status).end());
}).listen(4000, '127.0.0.1', () => console.log('Subscribed; now book a trip.'));
