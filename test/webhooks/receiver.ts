import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that a receiver got whole. */
export interface Received {
  /** Its `webhook-id`. */
  id: string;
  headers: Record<string, string>;
  body: string;
  /** Milliseconds since 1970. */
  at: number;
}

export type Handler = (
  request: Received,
  response: ServerResponse,
  message: IncomingMessage,
) => unknown;

/** Whoever is subscribed: remembers every request, and answers 204 unless `handler` does. */
export async function startReceiver(
  handler: Handler = (_request, response) => response.writeHead(204).end(),
) {
  const received: Received[] = [];
  const take = async (message: IncomingMessage, response: ServerResponse) => {
    const chunks = await message.toArray().catch(() => undefined);
    if (!chunks) return; // the sender was killed while it sent
    const headers = message.headers as Record<string, string>;
    const body = Buffer.concat(chunks).toString();
    const request = { id: headers['webhook-id'] ?? '', headers, body, at: Date.now() };
    received.push(request);
    await handler(request, response, message);
  };
  const server = createServer((message, response) => void take(message, response));
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    server,
    received,
    /** How often each `webhook-id` came. */
    counts(): Map<string, number> {
      const counts = new Map<string, number>();
      for (const { id } of received) counts.set(id, (counts.get(id) ?? 0) + 1);
      return counts;
    },
    /** Resolves once there are `n` requests; the test's own time limit ends it otherwise. */
    async waitFor(n: number): Promise<Received[]> {
      while (received.length < n) await new Promise((next) => setTimeout(next, 5));
      return received;
    },
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    async [Symbol.asyncDispose]() {
      await this.close();
    },
  };
}
