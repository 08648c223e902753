import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE_TRIP } from './given.ts';
import { createDatabase, ENGINE } from './harness.ts';
import {
  book,
  demoToken,
  emptyDatabase,
  type Program,
  requestDemoToken,
  startProgram,
} from './platform/program.ts';

const run = promisify(execFile);

/** The line of the banner that gets a token, as a developer copies it. */
const curlLine = (program: Program) => /^ *(curl .*\/oauth\/token)$/m.exec(program.stdout())?.[1];

describe('the first start on nothing', () => {
  it('serves, prints a line that gets a token, and a restart keeps what was made', async () => {
    await using database = await emptyDatabase();
    let self = '';
    {
      await using program = await startProgram(database.env);
      await program.ready();
      const line = curlLine(program);
      expect(line).toContain(program.url);
      const { stdout } = await run('sh', ['-c', line ?? 'false']);
      const { access_token } = JSON.parse(stdout);
      const headers = { authorization: `Bearer ${access_token}` };
      const booked = await book(program.url, headers, EXAMPLE_TRIP);
      expect(booked.status).toBe(201);
      self = new URL(((await booked.json()) as { links: { self: string } }).links.self).pathname;
      expect(program.stderr()).toBe('');
      // Nobody else reads the directory of the embedded engine.
      const { DATA_DIR } = database.env;
      if (DATA_DIR) expect((await stat(DATA_DIR)).mode & 0o777).toBe(0o700);
      program.kill('SIGTERM');
      expect(await program.exited).toBe(0);
    }
    await using program = await startProgram(database.env);
    await program.ready();
    const headers = await demoToken(program.url);
    expect((await fetch(program.url + self, { headers })).status).toBe(200);
  });
});

describe('in production', () => {
  it('there is no demo client and no banner, also where a developer started it before', async () => {
    await using database = await createDatabase();
    await using program = await startProgram({ ...database.env, NODE_ENV: 'production' });
    await program.ready();
    const refused = await requestDemoToken(program.url);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ error: 'invalid_client' });
    expect(curlLine(program)).toBeUndefined();
    expect(program.stdout()).not.toContain('demo');
  });

  it('none is made', async () => {
    await using database = await emptyDatabase();
    await using program = await startProgram({ ...database.env, NODE_ENV: 'production' });
    await program.ready();
    expect((await requestDemoToken(program.url)).status).toBe(401);
    expect((await fetch(`${program.url}/stations?limit=1`)).status).toBe(200);
  });
});

/** That the program gives up with exactly this one sentence, and no stack. */
async function expectRefusal(env: Record<string, string>, sentence: RegExp): Promise<void> {
  await using program = await startProgram(env);
  expect(await program.exited).toBe(1);
  expect(program.stderr()).toMatch(/^[A-Z./][^\n]*\.\n$/);
  expect(program.stderr()).toMatch(sentence);
  expect(program.stdout()).toBe('');
}

// What goes wrong before or beside the engine goes wrong alike on both.
describe.runIf(ENGINE === 'embedded')('a start that cannot be', () => {
  const taken = createServer();
  let scratch: string;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  const portOf = (server: Server) => (server.address() as { port: number }).port;

  beforeAll(async () => {
    taken.listen(0, '127.0.0.1');
    await once(taken, 'listening');
    database = await createDatabase();
    scratch = await mkdtemp(join(tmpdir(), 'quartet-test-'));
  });
  afterAll(async () => {
    taken.close();
    await database[Symbol.asyncDispose]();
    await rm(scratch, { recursive: true });
  });

  it('says what a wrong variable takes', () =>
    expectRefusal({ RATE_LIMIT_MAX: 'many' }, /^RATE_LIMIT_MAX takes a whole number from 0 to /));

  it('says that the port is taken', () =>
    expectRefusal({ ...database.env, PORT: String(portOf(taken)) }, /^HOST and PORT .*EADDRINUSE/));

  it('says that the address is not one of this machine', () =>
    expectRefusal({ ...database.env, HOST: '192.0.2.1' }, /^HOST /));

  it('says that the host name is unknown', () =>
    expectRefusal({ ...database.env, HOST: 'no-such-host.invalid' }, /^HOST /));

  it('says that nobody listens at DATABASE_URL', () =>
    expectRefusal(
      { DATABASE_URL: 'postgresql://user:hunter2@127.0.0.1:1/quartet' },
      /^DATABASE_URL (?!.*hunter2)/,
    ));

  it('says that the host of DATABASE_URL is unknown', () =>
    expectRefusal({ DATABASE_URL: 'postgresql://no-such-host.invalid/quartet' }, /^DATABASE_URL /));

  it('says that DATABASE_URL cannot be read', () =>
    expectRefusal({ DATABASE_URL: 'postgresql://[/quartet' }, /^DATABASE_URL /));

  it.for<[string, (server: Server) => void]>([
    ['never answers', () => undefined],
    ['hangs up', (server) => server.on('connection', (socket) => socket.destroy())],
    [
      'speaks HTTP',
      (server) => server.on('connection', (socket) => socket.end('HTTP/1.1 400 \r\n\r\n')),
    ],
  ])('says that what listens at DATABASE_URL is no database: it %s', async ([, behave]) => {
    const server = createServer();
    behave(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    await expectRefusal(
      { DATABASE_URL: `postgresql://user@127.0.0.1:${portOf(server)}/quartet` },
      /^DATABASE_URL /,
    );
    server.close();
  });

  it('says that DATA_DIR is of another major version', async () => {
    const old = join(scratch, 'old');
    await mkdir(old);
    await writeFile(join(old, 'PG_VERSION'), '17\n');
    await expectRefusal({ DATA_DIR: old }, /17; this one is 18/);
  });

  it('says that DATA_DIR is a file', async () => {
    const file = join(scratch, 'file');
    await writeFile(file, '');
    await expectRefusal({ DATA_DIR: file }, /DATA_DIR/);
  });
});

describe.runIf(ENGINE === 'postgresql')('a start on a server without the database', () => {
  it('says so', () =>
    expectRefusal(
      { DATABASE_URL: new URL('/quartet_no_such', process.env['TEST_DATABASE_URL']).href },
      /^DATABASE_URL .*3D000/,
    ));

  it('says that a server without TLS was asked for it', () =>
    expectRefusal(
      { DATABASE_URL: `${process.env['TEST_DATABASE_URL']}?sslmode=verify-full` },
      /^DATABASE_URL /,
    ));
});
