import { createHash, randomBytes } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { SaxesParser } from 'saxes';
import { expect } from 'vitest';
import type { TestApp } from '../harness.ts';

/** The demonstration key. */
export const KEY = { api_key: 'special-key' };

export const XML = 'application/xml';
export const FORM = 'application/x-www-form-urlencoded';

/** Elements that hold a list, whatever they hold at the time. */
const LISTS = new Set(['photoUrls', 'tags', 'pets', 'users', 'errors']);

/** Elements that have members, whether or not they hold any at the time. */
const OBJECTS = new Set(['pet', 'category', 'tag']);

type Value = string | Value[] | { [name: string]: Value };

/** The value of an XML document, every leaf a string; with the name of its root. */
export function parseXml(text: string): { root: string; value: Value } {
  const parser = new SaxesParser();
  const stack: { name: string; text: string; children: [string, Value][] }[] = [];
  let result: { root: string; value: Value } | undefined;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => void stack.push({ name, text: '', children: [] }));
  parser.on('text', (piece) => {
    const top = stack.at(-1);
    if (top) top.text += piece;
  });
  parser.on('closetag', () => {
    const closed = stack.pop();
    if (!closed) return;
    const { name, children } = closed;
    const value = LISTS.has(name)
      ? children.map(([, child]) => child)
      : children.length > 0 || OBJECTS.has(name)
        ? Object.fromEntries(children)
        : closed.text;
    const parent = stack.at(-1);
    if (parent) parent.children.push([name, value]);
    else result = { root: name, value };
  });
  parser.write(text).close();
  if (!result) throw new Error('no root');
  return result;
}

/** A JSON value as `parseXml` would answer it: its leaves as strings. */
export function asText(value: unknown): Value {
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asText(each)]));
  return String(value);
}

const inject = async (t: TestApp, options: InjectOptions, status = 200) => {
  const answer = await t.inject(options);
  expect(
    answer.statusCode,
    `${options.method ?? 'GET'} ${JSON.stringify(options.url)}: ${answer.body}`,
  ).toBe(status);
  return answer;
};

/** What tests of the petstore send again and again. */
export const petstoreClient = (t: TestApp) => ({
  /** Sends the request, and expects the status. */
  expect: (status: number, options: InjectOptions) => inject(t, options, status),

  async addPet(pet: object = {}) {
    const payload = { name: 'Rex', photoUrls: [], ...pet };
    return (await inject(t, { method: 'POST', url: '/v3/pets', headers: KEY, payload })).json();
  },

  async pet(id: number) {
    return (await inject(t, { url: `/v3/pets/${id}`, headers: KEY })).json();
  },

  async addUser(user: { username: string; password?: string }) {
    const payload = [user];
    const url = '/v3/user/createWithList';
    return (await inject(t, { method: 'POST', url, payload })).json();
  },

  /** Headers with a session of the user. */
  async logIn(username: string, password: string) {
    const answer = await inject(t, { url: '/v3/user/login', query: { username, password } });
    const token = /^"logged in user session:(\S+)"$/.exec(answer.body)?.[1];
    return { authorization: `Bearer ${token}` };
  },

  /** Headers with a session of a user who is made for it; no password is hashed for either. */
  async newSession(username = `user-${crypto.randomUUID()}`) {
    const { id } = await this.addUser({ username });
    const token = `petstore_session_${randomBytes(32).toString('base64url')}`;
    await sql`
      insert into petstore.sessions (token_hash, user_id, expires_at)
      values (${createHash('sha256').update(token).digest()}, ${id}, now() + interval '1 hour')`.execute(
      t.db,
    );
    return { authorization: `Bearer ${token}` };
  },
});

let counter = 0;
/** A name that no other test of the file uses. */
export const unique = (name: string) => `${name}${++counter}`;
