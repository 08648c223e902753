import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sendBytes } from '../exchange.ts';
import { FILE_LIMIT, sharedService, startService } from './service.ts';

const app = await sharedService();
const base = await app.listen({ host: '127.0.0.1', port: 0 });

const send = (type: string, payload: Buffer | string, accept = '*/*') =>
  app.inject({
    method: 'POST',
    url: '/files',
    headers: { 'content-type': type, accept },
    payload,
  });
const octets = (payload: Buffer | string) => send('application/octet-stream', payload);

const BOUNDARY = 'multipart/form-data; boundary=b';
const part = (header: string, content: string | Buffer = 'x') =>
  Buffer.concat([
    Buffer.from(`--b\r\n${header}\r\n\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ]);
const named = (name: string, more = '') => `Content-Disposition: form-data; name="${name}"${more}`;
const file = (content: string | Buffer = 'DATA', name = 'a.png') =>
  part(`${named('file', `; filename="${name}"`)}\r\nContent-Type: image/png`, content);
const multipart = (...parts: Buffer[]) =>
  send(BOUNDARY, Buffer.concat([...parts, Buffer.from('--b--\r\n')]));

const faultsOf = (answer: { json(): { errors?: { pointer: string; detail: string }[] } }) =>
  answer.json().errors?.map(({ pointer, detail }) => `${pointer} ${detail}`);

describe('a file as the body', () => {
  it('comes as it is, up to the limit', async () => {
    expect((await octets(Buffer.alloc(FILE_LIMIT, 1))).json()).toEqual({ size: FILE_LIMIT });
    expect((await octets(Buffer.from([0, 255, 13, 10]))).json()).toEqual({ size: 4 });
  });

  it('beyond the limit is 413, announced or not', async () => {
    expect((await octets(Buffer.alloc(FILE_LIMIT + 1))).statusCode).toBe(413);
    const huge = Array(200)
      .fill('400\r\n'.concat('x'.repeat(1024), '\r\n'))
      .join('');
    const head = 'POST /files HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\n';
    const answer = await sendBytes(
      base,
      `${head}Transfer-Encoding: chunked\r\n\r\n${huge}0\r\n\r\n`,
    );
    expect(answer.statusCode).toBe(413);
  });

  it('of a gigabyte is refused when it is announced', async () => {
    const head =
      'POST /files HTTP/1.1\r\nHost: a\r\nAccept: application/xml\r\nContent-Length: 1073741824\r\n';
    for (const type of ['application/octet-stream', BOUNDARY]) {
      const answer = await sendBytes(base, `${head}Content-Type: ${type}\r\n\r\n`);
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([
        413,
        'application/problem+xml',
      ]);
    }
  });

  it('that is empty is none', async () => {
    const answer = await octets('');
    expect([answer.statusCode, faultsOf(answer)]).toEqual([400, ['/file is required']]);
    expect((await app.inject({ method: 'POST', url: '/files' })).statusCode).toBe(400);
  });

  it('that trickles in is refused when its time is over', async () => {
    const slow = await startService(undefined, { uploadDeadline: 200 });
    const { hostname, port } = new URL(await slow.listen({ host: '127.0.0.1', port: 0 }));
    for (const type of ['application/octet-stream', BOUNDARY]) {
      const socket = connect(Number(port), hostname);
      let text = '';
      socket.on('data', (chunk) => (text += chunk));
      socket.on('error', () => undefined);
      const head =
        'POST /files HTTP/1.1\r\nHost: a\r\nAccept: application/xml\r\nContent-Length: 1000\r\n';
      socket.write(`${head}Content-Type: ${type}\r\n\r\n`);
      const closed = once(socket, 'close');
      const drip = setInterval(() => socket.write('-'), 20);
      await closed;
      clearInterval(drip);
      expect(text).toMatch(/^HTTP\/1\.1 408 /);
      expect(text).toContain('application/problem+xml');
    }
    await slow.close();
  });

  it('whose client goes away harms nobody', async () => {
    for (const type of ['application/octet-stream', BOUNDARY]) {
      const { hostname, port } = new URL(base);
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.write(
        `POST /files HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\nContent-Type: ${type}\r\n\r\n${file().toString()}`,
      );
      await sleep(20);
      socket.destroy();
      await once(socket, 'close');
    }
    expect((await octets('x')).statusCode).toBe(200);
  });
});

describe('a file in a form', () => {
  it('comes with what is declared of it, and with the fields', async () => {
    const answer = await multipart(
      part(named('additionalMetadata'), 'ä 😀'),
      part(named('part'), '7'),
      file(),
    );
    expect(answer.json()).toEqual({
      size: 4,
      name: 'a.png',
      type: 'image/png',
      additionalMetadata: 'ä 😀',
    });
  });

  it('is whole, whatever bytes it has', async () => {
    const bytes = Buffer.from(Array.from({ length: 1024 }, (_, index) => index % 256));
    const tricky = Buffer.concat([bytes, Buffer.from('\r\n--c\r\n-b\r\n--'), bytes]);
    expect((await multipart(file(tricky))).json()).toMatchObject({ size: tricky.length });
    expect((await multipart(file(Buffer.alloc(FILE_LIMIT)))).json()).toMatchObject({
      size: FILE_LIMIT,
    });
  });

  it.for([
    ['../../etc/passwd', 'passwd'],
    ['..\\\\..\\\\windows\\\\a.png', 'a.png'],
    ['/etc/a.png', 'a.png'],
    ['C:\\\\a.png', 'a.png'],
    ['a\u0000b\u0007.png', 'ab.png'],
    ['a\u202egnp.exe', 'agnp.exe'],
    ['..', undefined],
    ['a/..', undefined],
    [`${'x'.repeat(300)}.png`, 'x'.repeat(255)],
    ['ä 😀.png', 'ä 😀.png'],
    ['a.png\\"; name=\\"x', 'a.png"; name="x'],
  ])('has a name that leads nowhere: %s', async ([sent, name]) => {
    const answer = await multipart(file('DATA', sent));
    expect([answer.statusCode, answer.json().name]).toEqual([200, name]);
  });

  it.for([
    ['no file', [part(named('additionalMetadata'))], ['/file is required']],
    ['a file that was not chosen', [file('', '')], ['/file is required']],
    ['an empty file', [file('')], ['/file is required']],
    ['a field for the file', [part(named('file'))], ['/file must be a part with a filename']],
    ['two files', [file(), file()], [' must have at most one file and 10 fields']],
    [
      'a field twice',
      [part(named('additionalMetadata')), part(named('additionalMetadata')), file()],
      ['/additionalMetadata stands here more than once'],
    ],
    [
      'a field that nobody knows',
      [part(named('x')), file()],
      ['/x is not a member of this body; remove it'],
    ],
    [
      'a file of another name',
      [part(named('photo', '; filename="a"'))],
      ['/file is required', '/photo is not a member of this body; remove it'],
    ],
    [
      'a field of another type',
      [part(named('part'), '1.5'), file()],
      ['/part must be an integer, not text'],
    ],
    [
      'control characters',
      [part(named('additionalMetadata'), 'a\x01'), file()],
      ['/additionalMetadata must be text without control characters'],
    ],
    [
      'a field without end',
      [part(named('additionalMetadata'), 'x'.repeat(20_000)), file()],
      ['/additionalMetadata is too long'],
    ],
    [
      'a thousand parts',
      [...Array(1000).fill(part(named('x'))), file()],
      [' must have at most one file and 10 fields'],
    ],
  ] as const)('with faults is 400: %s', async ([, parts, faults]) => {
    const answer = await multipart(...parts);
    expect([answer.statusCode, faultsOf(answer)]).toEqual([400, faults]);
  });

  it.for([
    ['no boundary', 'multipart/form-data', file()],
    ['no end', BOUNDARY, file()],
    ['no end of a part', BOUNDARY, file().subarray(0, -4)],
    ['no end of its headers', BOUNDARY, Buffer.from(`--b\r\n${named('file')}`)],
    ['no part', BOUNDARY, Buffer.from('nothing at all')],
    [
      'a part without a name',
      BOUNDARY,
      Buffer.concat([part('Content-Disposition: form-data'), Buffer.from('--b--\r\n')]),
    ],
    [
      'a member __proto__',
      BOUNDARY,
      Buffer.concat([part(named('__proto__')), file(), Buffer.from('--b--\r\n')]),
    ],
    [
      'a file __proto__',
      BOUNDARY,
      Buffer.concat([part(named('__proto__', '; filename="a"')), Buffer.from('--b--\r\n')]),
    ],
  ] as const)('that is broken is 400: %s', async ([, type, payload]) => {
    const answer = await send(type, payload);
    expect([answer.statusCode, answer.json().type]).toEqual([
      400,
      'http://127.0.0.1:3000/problems/malformed-body',
    ]);
  });

  it.for([
    ['the file', [file(Buffer.alloc(FILE_LIMIT + 1))]],
    ['what stands before the first part', [Buffer.alloc(200_000, 'x'), file()]],
    [
      'headers of a part',
      [part(`${named('file', '; filename="a"')}\r\nX-Long: ${'x'.repeat(200_000)}`)],
    ],
  ] as const)('that is too large is 413: %s', async ([, parts]) => {
    expect((await multipart(...parts)).statusCode).toBe(413);
  });

  it('without end is cut off', async () => {
    const { hostname, port } = new URL(base);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    let isReset = false;
    socket.on('error', () => {
      isReset = true;
    });
    socket.write(
      `POST /files HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Type: ${BOUNDARY}\r\n\r\n`,
    );
    const piece = part(named('x', '; filename="y"'), Buffer.alloc(4096));
    const chunk = Buffer.concat([
      Buffer.from(`${piece.length.toString(16)}\r\n`),
      piece,
      Buffer.from('\r\n'),
    ]);
    const writing = setInterval(() => socket.write(chunk), 1);
    await new Promise<void>((resolve) => void socket.once('close', () => resolve()));
    clearInterval(writing);
    // Whoever goes on writing to a closed connection may lose the answer to a reset.
    if (!isReset || text !== '') expect(text).toMatch(/^HTTP\/1\.1 400 /);
  });
});
