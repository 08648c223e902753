import { once } from 'node:events';
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { PROBLEM_TYPES, type ProblemSlug } from '../../src/platform/problems/problem-types.ts';

/** What both `inject` and a real exchange answer. */
export interface Answer {
  statusCode: number;
  headers: Record<string, number | string | string[] | undefined>;
  body: string;
}

export interface Exchange {
  method?: string;
  /** Sent as it is: nothing is normalised or escaped. */
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** One request over a real connection. */
export function send(base: string, { method = 'GET', path, headers = {}, body }: Exchange) {
  const { hostname, port } = new URL(base);
  const isFramed = body === undefined || 'transfer-encoding' in headers;
  const all = isFramed ? headers : { ...headers, 'content-length': Buffer.byteLength(body) };
  const options = { hostname, port, method, path, headers: all, agent };
  return new Promise<Answer>((resolve, reject) => {
    const outgoing = request(options, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('error', reject).on('end', () => {
        resolve({ statusCode: incoming.statusCode ?? 0, headers: incoming.headers, body: text });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Writes bytes to a fresh connection and reads what comes until the server ends it. */
export async function sendBytes(base: string, bytes: string | Buffer): Promise<Answer> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
  const [status = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => line.split(/: */, 2) as [string, string]);
  return {
    statusCode: Number(status.split(' ')[1]),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body,
  };
}

/** Words that only a library, the database or a stack would use. */
const LEAKS =
  /must NOT|ajv|[Ff]astify|FST_|Error:|\bselect |\binsert |\.ts:\d|node_modules|node:internal/;

/** That `answer` is a whole problem document of this type, and says nothing of how we are made. */
export function expectProblem(answer: Answer, slug: ProblemSlug, publicUrl: string) {
  const { status, title } = PROBLEM_TYPES[slug];
  expect(answer.body).toContain('{');
  const problem = JSON.parse(answer.body);
  expect(problem).toMatchObject({ type: `${publicUrl}/problems/${slug}`, title, status });
  expect(answer.statusCode).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(problem.detail).toMatch(/^\S.*\.$|^\/|^[\w-]+ /);
  expect(answer.body).not.toMatch(LEAKS);
  return problem as {
    detail: string;
    instance?: string;
    errors?: { detail: string; pointer?: string; parameter?: string }[];
  };
}

export const JSON_BODY = { 'content-type': 'application/json' };
