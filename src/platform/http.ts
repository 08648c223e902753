import { STATUS_CODES } from 'node:http';
import { isUtf8 } from 'node:buffer';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  fastify,
  type HTTPMethods,
  LogController,
} from 'fastify';
import Negotiator from 'negotiator';
import type { Logger } from 'pino';
import { handleErrors, sendProblem, toProblem } from './errors.ts';
import { newId } from './ids.ts';
import { Problem, problemDocument } from './problems.ts';
import type { ProblemSlug } from './problem-types.ts';
import type { RateLimit } from './rate-limit.ts';
import { buildValidator } from './validation.ts';

export interface HttpOptions {
  PUBLIC_URL: string;
  TRUST_PROXY?: string;
  BODY_LIMIT: number;
}

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];

/** What a browser's script may read of an answer from another origin. */
const EXPOSED_HEADERS =
  'ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';

/** A request that is not even HTTP gets its problem on the bare socket. */
function refuseConnection(publicUrl: string, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [slug, detail]: [ProblemSlug, string] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['headers-too-large', 'The request headers are larger than 16 KiB.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['request-timeout', 'The request did not arrive whole in time.']
        : ['malformed-url', 'This is not an HTTP/1.1 request.'];
  const document = problemDocument(new Problem(slug, detail), publicUrl);
  const body = JSON.stringify(document);
  socket.end(
    `HTTP/1.1 ${document.status} ${STATUS_CODES[document.status]}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** JSON only, UTF-8 only, and no member that would reach an object's prototype. */
function parseJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (request, body, done) => {
      // Some clients announce JSON and send nothing, with DELETE above all.
      if (body.length === 0) return done(null, undefined);
      if (!isUtf8(body)) return done(new Problem('malformed-body', 'The body is not UTF-8.'));
      void parse(request, body.toString('utf8'), (error, value) => {
        if (!error) return done(null, value);
        if (/prototype/.test(error.message))
          return done(new Problem('malformed-body', 'No member may be named "__proto__".'));
        done(
          new Problem('malformed-body', `The body is not JSON${jsonFault(body.toString('utf8'))}.`),
        );
      });
    },
  );
}

/** Where JSON text breaks, in words; the engine's own message quotes the text, ours does not. */
function jsonFault(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    const at = /line (\d+) column (\d+)/.exec((error as Error).message);
    if (at) return `: it breaks at line ${at[1]}, column ${at[2]}`;
    if (/end of/i.test((error as Error).message)) return ': it ends too early';
  }
  return '';
}

/**
 * A path that exists answers 405 with Allow to the methods it does not have. Call this before the
 * first route, and what it returns after the last.
 */
function refuseOtherMethods(app: FastifyInstance, rateLimit: RateLimit): () => void {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set();
    methodsOf.set(url, methods);
    for (const each of [method].flat()) methods.add(each);
  });
  return () => {
    for (const [url, methods] of [...methodsOf]) {
      const missing = METHODS.filter((method) => !methods.has(method));
      if (url.includes('*') || missing.length === 0) continue;
      const allow = [...methods]
        .filter((method) => method !== 'OPTIONS')
        .concat('OPTIONS')
        .join(', ');
      app.route({
        method: missing,
        url,
        async onRequest(request, reply) {
          rateLimit(request, reply);
          throw new Problem('method-not-allowed', `${request.method} is not one of ${allow}.`, {
            headers: { allow },
          });
        },
        handler: () => undefined,
      });
    }
  };
}

/** Throws 400 for a query whose percent signs encode nothing; the parser would let them pass. */
function checkQuery(url: string): void {
  const query = url.indexOf('?');
  if (query < 0 || !url.includes('%', query)) return;
  try {
    decodeURIComponent(url.slice(query + 1));
  } catch {
    throw new Problem('malformed-url', 'The query has a percent sign that encodes nothing.');
  }
}

const JSON_TYPES = ['application/json', 'application/problem+json'];

/** For services that speak JSON only: throws 406 where Accept rules it out. */
export function requireJsonAccepted(accept: string | undefined): void {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return;
  if (new Negotiator({ headers: { accept } }).mediaTypes(JSON_TYPES).length === 0)
    throw new Problem('not-acceptable', 'This operation answers in application/json only.');
}

/**
 * The HTTP side that every service shares: strict JSON, problems, request ids, CORS, security
 * headers, one log line an answer. Call `ready` after the last route is registered.
 */
export async function createHttp(
  options: HttpOptions,
  log: Logger,
  rateLimit: RateLimit,
): Promise<{ app: FastifyInstance; ready: () => void }> {
  const { PUBLIC_URL, TRUST_PROXY, BODY_LIMIT } = options;
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Typed for Ajv's own defaults; ours takes the same schemas.
    schemaController: { compilersFactory: { buildValidator: buildValidator as never } },
    trustProxy: TRUST_PROXY ?? false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestIdHeader: false,
    genReqId: ({ headers: { 'x-request-id': id } }) =>
      typeof id === 'string' && /^[\w.-]{1,64}$/.test(id) ? id : newId(),
    frameworkErrors: (error, request, reply) =>
      void sendProblem(request, reply, toProblem(error), PUBLIC_URL),
    clientErrorHandler: (error, socket) => refuseConnection(PUBLIC_URL, error, socket),
  });
  handleErrors(app, PUBLIC_URL, rateLimit);
  parseJson(app);
  const ready = refuseOtherMethods(app, rateLimit);

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    checkQuery(request.raw.url ?? '');
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    return payload;
  });
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        // Without the query: it can hold a password or a token.
        path: request.raw.url?.split('?', 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'answered',
    );
  });
  await app.register(cors, {
    delegator: (request, callback) =>
      callback(null, {
        origin: request.raw.url?.startsWith('/oauth/') ? false : '*',
        methods: METHODS,
        exposedHeaders: EXPOSED_HEADERS,
        maxAge: 600,
      }),
  });
  return { app, ready };
}
