import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A server that speaks whatever `onRequest` writes once some of a request has come. */
export async function startRaw(
  onRequest: (socket: Socket) => unknown,
  server: Server = createServer(),
) {
  const sockets = new Set<Socket>();
  let connections = 0;
  let written = 0;
  server.on(
    server.listenerCount('secureConnection') >= 0 && 'setSecureContext' in server
      ? 'secureConnection'
      : 'connection',
    (socket: Socket) => {
      connections += 1;
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        written += socket.bytesWritten;
      });
      socket.on('data', () => onRequest(socket));
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    /** What the other side let us write, in bytes, on all connections together. */
    written: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, written),
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** Writes `chunk` without end, as fast as the other side takes it. */
export function pour(socket: Socket, chunk: string | Buffer): void {
  const more = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

/** Writes `text` by a character every 400 ms. */
export function drip(socket: Socket, text: string): void {
  const characters = [...text];
  const timer = setInterval(() => {
    const next = characters.shift();
    if (next === undefined || !socket.writable) clearInterval(timer);
    else socket.write(next);
  }, 400);
  socket.on('close', () => clearInterval(timer));
}
