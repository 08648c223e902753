// A program: receivers of webhooks, `healthy` or `hostile`. Prints their URLs once they listen.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** When each event arrived here, in milliseconds since 1970. */
let receipts: [id: string, at: number][] = [];

const healthy: Handler = (request, response) => {
  if (request.method === 'GET') {
    // What arrived since the last question.
    response.end(JSON.stringify(receipts));
    receipts = [];
    return;
  }
  request.resume().on('end', () => {
    const at = performance.timeOrigin + performance.now();
    receipts.push([String(request.headers['webhook-id']), at]);
    response.end();
  });
};

const MEGABYTE = Buffer.alloc(1_000_000);
const BOMB = gzipSync(Buffer.alloc(50_000_000));

const hostile: Record<string, Handler> = {
  hang: () => undefined,
  drip(_request, response) {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 1000);
    response.on('close', () => clearInterval(timer));
  },
  gigabyte(_request, response) {
    let left = 1000;
    const more = () => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        if (!response.write(MEGABYTE)) return;
      }
      response.end();
    };
    response.on('drain', more);
    more();
  },
  bomb: (_request, response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB),
  close: (request) => void request.socket.destroy(),
};

const listen = (handler: Handler): Promise<string> =>
  new Promise((resolve) => {
    const server = createServer({ keepAliveTimeout: 60_000 }, handler);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      resolve(`http://127.0.0.1:${port}/`);
    });
  });

const handlers = process.argv[2] === 'hostile' ? Object.values(hostile) : [healthy];
console.log(JSON.stringify(await Promise.all(handlers.map(listen))));
