import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { createLookup } from '../../src/webhooks/lookup.ts';
import { ENGINE } from '../harness.ts';

/** A name server that answers what `answer` makes of a question, or nothing. */
async function nameServer(answer: (question: Buffer) => Buffer | undefined) {
  const socket = createSocket('udp4', (question, { port, address }) => {
    const bytes = answer(question);
    if (bytes) socket.send(bytes, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    lookup: createLookup([`127.0.0.1:${socket.address().port}`]),
    [Symbol.asyncDispose]: async () => void socket.close(),
  };
}

/** The question as an answer (RFC 1035, 4.1): so many records, or a code that says why not. */
const respond = (question: Buffer, code: number, records: Buffer[] = []) => {
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(records.length, 6);
  head.fill(0, 8, 12); // neither authorities nor additional records
  const end = question.indexOf(0, 12) + 5;
  return Buffer.concat([head, question.subarray(12, end), ...records]);
};
const isForIPv4 = (question: Buffer) => question.readUInt16BE(question.indexOf(0, 12) + 1) === 1;
const record = (...address: number[]) =>
  Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address]);

// No database is asked, so one engine is enough.
it.runIf(ENGINE === 'embedded')('finds every address of a name', async () => {
  await using server = await nameServer((question) =>
    respond(question, 0, isForIPv4(question) ? [record(192, 0, 2, 1), record(10, 0, 0, 1)] : []),
  );
  expect((await server.lookup('receiver.example')).toSorted()).toEqual(['10.0.0.1', '192.0.2.1']);
});

it.runIf(ENGINE === 'embedded')('finds names of this machine without a name server', async () => {
  await using server = await nameServer(() => undefined);
  const [address] = await server.lookup('localhost');
  expect(['127.0.0.1', '::1']).toContain(address);
});

it.runIf(ENGINE === 'embedded')('gives up where name servers are silent', async () => {
  await using server = await nameServer(() => undefined);
  const names = Array.from({ length: 20 }, (_, at) => `silent-${at}.example`);
  const answers = await Promise.allSettled(names.map(server.lookup));
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'ETIMEOUT' } });
});

it.runIf(ENGINE === 'embedded')('fails for a name that does not exist', async () => {
  await using server = await nameServer((question) => respond(question, 3));
  await expect(server.lookup('nobody.example')).rejects.toThrow();
});
