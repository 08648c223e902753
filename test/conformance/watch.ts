import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { loadConfig } from '../../src/config.ts';
import { type Answer, faultsOf } from './answers.ts';
import { type FindTarget, ourTargets, type Target } from './documents.ts';
import { addFaults, refuseFaults } from './faults.ts';

/** What `faultsOf` says, also where the document itself is at fault. */
function judge(target: Target, answer: Answer): string[] {
  try {
    return faultsOf(target, answer);
  } catch (error) {
    return [`${target.method} ${target.path}: the document is broken: ${(error as Error).message}`];
  }
}

/** Holds every answer of `app` to the documents: those of `inject`, and those of its listener. */
export function watchApp(app: FastifyInstance, find: FindTarget): void {
  const inject = app.inject.bind(app) as (
    options: InjectOptions | string,
  ) => Promise<LightMyRequestResponse>;
  app.inject = (async (options: InjectOptions | string) => {
    const answer = await inject(options);
    const { method = '', url = '' } = answer.raw.req;
    const target = find(method, url);
    if (!target) return answer;
    const { statusCode, rawPayload } = answer;
    const headers = Object.entries(answer.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value : `${value}`,
    ]);
    const received = { headers: Object.fromEntries(headers), body: rawPayload };
    refuseFaults(judge(target, { status: statusCode, ...received }));
    return answer;
  }) as FastifyInstance['inject'];

  // Before the application's own listener.
  app.server.prependListener('request', ({ method = '', url = '' }, response) => {
    const target = find(method, url);
    if (target) watchResponse(response, target);
  });
}

/** Looks at what goes over the line, once it is whole. */
function watchResponse(response: ServerResponse, target: Target): void {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding as BufferEncoding));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const write = response.write.bind(response) as (...args: unknown[]) => boolean;
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.write = (chunk: unknown, ...others: unknown[]) => {
    keep(chunk, others[0]);
    return write(chunk, ...others);
  };
  response.end = (...args: unknown[]) => {
    if (response.writableEnded) return end(...args);
    keep(args[0], args[1]);
    const ended = end(...args);
    // Fastify gives its headers to writeHead: the response keeps them in this text only.
    const [, ...lines] = (response as unknown as { _header: string })._header.trim().split('\r\n');
    const headers = headersOf(lines.flatMap((line) => line.split(/: *(.*)/s).slice(0, 2)));
    // Where none belongs (HEAD, 204, 304) Node sends none, whatever it was given.
    const { _hasBody: hasBody } = response as unknown as { _hasBody: boolean };
    const body = hasBody ? Buffer.concat(chunks) : Buffer.alloc(0);
    addFaults(judge(target, { status: response.statusCode, headers, body }));
    return ended;
  };
}

/** From names and values in turn. */
function headersOf(raw: string[]): Answer['headers'] {
  const headers: Answer['headers'] = {};
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    headers[name] = name in headers ? [headers[name] ?? '', value].flat() : value;
  }
  return headers;
}

/** What undici tells of a request of `fetch`. */
interface Told {
  request: { origin: string; method: string; path: string };
  response: { statusCode: number; headers: Buffer[] };
  chunk: Uint8Array;
}
/** Processes that serve our documents, by origin. */
const processes = new Map<string, FindTarget>();
const exchanges = new WeakMap<object, { target: Target; answer: Answer; chunks: Uint8Array[] }>();

subscribe('undici:request:headers', (message) => {
  const { request, response } = message as Told;
  const target = processes.get(request.origin)?.(request.method, request.path);
  if (!target) return;
  const headers = headersOf(response.headers.map(String));
  const answer = { status: response.statusCode, headers, body: Buffer.alloc(0) };
  exchanges.set(request, { target, answer, chunks: [] });
});
subscribe('undici:request:bodyChunkReceived', (message) => {
  const { request, chunk } = message as Told;
  exchanges.get(request)?.chunks.push(Buffer.from(chunk));
});
subscribe('undici:request:trailers', (message) => {
  const exchange = exchanges.get((message as Told).request);
  if (!exchange) return;
  const body = Buffer.concat(exchange.chunks);
  addFaults(judge(exchange.target, { ...exchange.answer, body }));
});

/** Holds every answer that `fetch` gets from `origin`, where `child` runs in this environment. */
export async function watchProcess(
  child: ChildProcess,
  origin: string,
  env: Record<string, string>,
): Promise<void> {
  child.once('exit', () => processes.delete(origin));
  // The rest of the environment may be wrong on purpose.
  const bases = Object.entries(env).filter(([name]) => name.endsWith('_BASE_PATH'));
  processes.set(origin, await ourTargets(loadConfig(Object.fromEntries(bases))));
}
