import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';

const OK = 'HTTP/1.1 200 OK\r\n';
const MEGABYTE = Buffer.alloc(1_048_576, 'x');
/** 100 MB, unpacked; only where it is sent. */
const BOMB = isMainThread ? '' : gzipSync(Buffer.alloc(100 * MEGABYTE.length), { level: 1 });

/** Writes `chunk` without end, as fast as the other side takes it. */
function pour(socket: Socket, chunk: string | Buffer): void {
  const more = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

/** Writes `chunk` every `ms`, `count` times. */
function drip(socket: Socket, chunks: Iterable<string>, ms: number): void {
  const left = chunks[Symbol.iterator]();
  const timer = setInterval(() => {
    const { done, value } = left.next();
    if (done || !socket.writable) clearInterval(timer);
    else socket.write(value);
  }, ms);
}

const write =
  (...parts: (string | Buffer)[]) =>
  (socket: Socket) => {
    for (const part of parts) socket.write(part);
  };
const end =
  (...parts: (string | Buffer)[]) =>
  (socket: Socket) => {
    write(...parts)(socket);
    socket.end();
  };
const writeThenPour = (head: string, chunk: string | Buffer) => (socket: Socket) => {
  socket.write(head);
  pour(socket, chunk);
};
const writeThenDrip = (head: string, chunks: string[], ms: number) => (socket: Socket) => {
  socket.write(head);
  drip(socket, chunks, ms);
};

/** What each does once a request came. */
const BEHAVIOURS = {
  hangs: () => undefined,
  'drips its head': (socket: Socket) => drip(socket, `${OK}content-length: 0\r\n\r\n`, 400),
  'drips its body': writeThenDrip(`${OK}content-length: 50\r\n\r\n`, Array(50).fill('y'), 400),
  'drips chunks': writeThenDrip(
    `${OK}transfer-encoding: chunked\r\n\r\n`,
    Array(50).fill('1\r\nz\r\n'),
    400,
  ),
  'answers a gigabyte': writeThenPour(`${OK}content-length: 1073741824\r\n\r\n`, MEGABYTE),
  'never ends its answer': writeThenPour(`${OK}connection: close\r\n\r\n`, MEGABYTE),
  'refuses by a gigabyte': writeThenPour('HTTP/1.1 500 No\r\n\r\n', MEGABYTE),
  'answers a gzip bomb': write(
    `${OK}content-encoding: gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`,
    BOMB,
  ),
  'closes at once': end(),
  'resets the connection': (socket: Socket) => socket.resetAndDestroy(),
  'closes within its head': end('HTTP/1.1 200 OK\r\nx: y'),
  'closes before the end it promised': end(`${OK}content-length: 100\r\n\r\nshort`),
  'closes within a chunk': end(`${OK}transfer-encoding: chunked\r\n\r\n5\r\nsho`),
  'says more than it promised': write(`${OK}content-length: 2\r\n\r\nokHTTP/1.1 500 No\r\n\r\n`),
  'has a head of megabytes': writeThenPour(OK, `x-more: ${'y'.repeat(1000)}\r\n`),
  'has one header without end': writeThenPour(`${OK}x-more: `, MEGABYTE),
  'continues for ever': writeThenPour('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000)),
  'hints for ever': writeThenPour(
    '',
    'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(1000),
  ),
  'extends its chunks': writeThenPour(
    `${OK}transfer-encoding: chunked\r\n\r\n1`,
    ';x=y'.repeat(10_000),
  ),
  'trails for ever': writeThenPour(
    `${OK}transfer-encoding: chunked\r\n\r\n0\r\n`,
    'x: y\r\n'.repeat(10_000),
  ),
  'switches protocols': write(
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  ),
  'speaks SSH': write('SSH-2.0-OpenSSH_9.2p1\r\n'),
  'speaks noise': writeThenPour('', Buffer.from([0, 255, 22, 3, 1])),
  'has two lengths': write(`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nok!`),
  'has a length and chunks': write(
    `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  ),
  'has a negative length': write(`${OK}content-length: -1\r\n\r\n`),
  'has a status of its own': end('HTTP/1.1 999 Whatever\r\n\r\n'),
  'answers bytes that are no text': end(`${OK}\r\n`, Buffer.from([0, 255, 0xed, 0xa0, 0x80, 65])),
  'speaks HTTP/1.0': end('HTTP/1.0 200 OK\r\n\r\nold'),
  'has a certificate of its own': end(`${OK}\r\n`),
  'has no TLS': end(`${OK}\r\n`),
} satisfies Record<string, (socket: Socket) => unknown>;

export type Behaviour = keyof typeof BEHAVIOURS;

/** A certificate that nobody signed but itself. */
function selfSigned(): { key: string; cert: string } {
  const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout - -days 1';
  const names = '-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1';
  const args = `${request} ${names}`.split(' ');
  const pem = execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString();
  const [key = '', cert = ''] = pem.split(/(?=-----BEGIN CERTIFICATE)/);
  return { key, cert };
}

async function serve(behaviour: Behaviour) {
  const isTls = behaviour === 'has a certificate of its own';
  let written = 0;
  const server = isTls ? createTlsServer(selfSigned()) : createServer();
  server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    socket.on('error', () => undefined);
    socket.on('close', () => {
      written += socket.bytesWritten;
    });
    socket.once('data', () => BEHAVIOURS[behaviour](socket));
    socket.on('data', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, written: () => written };
}

/** One receiver of each kind, in a thread of their own: what they cost is not the sender's. */
export async function startHostileReceivers() {
  const worker = new Worker(new URL(import.meta.url));
  const [ports] = (await once(worker, 'message')) as [Record<Behaviour, number>];
  return {
    ports,
    /** What each was let write on connections that have ended, in bytes. */
    async written(): Promise<Record<Behaviour, number>> {
      worker.postMessage('written');
      const [written] = (await once(worker, 'message')) as [Record<Behaviour, number>];
      return written;
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}

if (!isMainThread) {
  const names = Object.keys(BEHAVIOURS) as Behaviour[];
  const servers = await Promise.all(names.map(serve));
  const table = (value: (server: (typeof servers)[number]) => number) =>
    Object.fromEntries(names.map((name, at) => [name, value(servers[at] as (typeof servers)[0])]));
  parentPort?.on('message', () => parentPort?.postMessage(table((server) => server.written())));
  parentPort?.postMessage(table(({ port }) => port));
}
