import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  type HTTPMethods,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { handleErrors, pathAsked, sendProblem, toProblem, withoutOrigin } from './errors.ts';
import { takeJson } from '../formats/json-reader.ts';
import { Problem, problemDocument } from '../problems/problems.ts';
import type { ProblemSlug } from '../problems/problem-types.ts';
import type { RateLimit } from './rate-limit.ts';
import { buildSerializer } from './serialization.ts';
import { buildValidator } from './validation.ts';

export interface HttpOptions {
  PUBLIC_URL: string;
  TRUST_PROXY?: string;
  BODY_LIMIT: number;
}

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];

/** What a browser's script may read of an answer from another origin. */
const EXPOSED_HEADERS =
  'Accept-Ranges, Content-Disposition, Content-Range, Deprecation, ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-Expires-After, X-Rate-Limit, X-Request-Id';

/** A request that is not even HTTP gets its problem on the bare socket. */
function refuseConnection(publicUrl: string, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [slug, detail]: [ProblemSlug, string] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['headers-too-large', 'The request headers are larger than 16 KiB.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['request-timeout', 'The request did not arrive whole in time.']
        : ['malformed-request', 'This is not an HTTP/1.1 request.'];
  const document = problemDocument(new Problem(slug, detail), publicUrl);
  const body = JSON.stringify(document);
  socket.end(
    `HTTP/1.1 ${document.status} ${STATUS_CODES[document.status]}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Whether a route's `pattern` has this path. */
function fits(pattern: string, path: string): boolean {
  const parts = path.split('/');
  const wanted = pattern.split('/');
  return (
    wanted.length === parts.length &&
    wanted.every((part, index) => (part.startsWith(':') ? parts[index] : parts[index] === part))
  );
}

/**
 * A path that exists answers 405 with Allow to the methods it does not have. Call this before the
 * first route, and what it returns after the last.
 */
function refuseOtherMethods(app: FastifyInstance, rateLimit: RateLimit): () => void {
  const methodsOf = new Map<string, Set<string>>();
  const listed = (methods: Set<string>) =>
    [...methods]
      .filter((method) => method !== 'OPTIONS')
      .concat('OPTIONS')
      .join(', ');
  const refuse = (method: string, allow: string) =>
    new Problem('method-not-allowed', `${method} is not one of ${allow}.`, { headers: { allow } });

  let isReady = false;
  app.addHook('onRoute', ({ url, method }) => {
    if (isReady) return;
    const methods = methodsOf.get(url) ?? new Set();
    methodsOf.set(url, methods);
    for (const each of [method].flat()) methods.add(each);
  });
  // The router knows nothing of PROPFIND and the like: no route of a path can refuse them.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404 || METHODS.includes(request.method as HTTPMethods)) return;
    const path = request.raw.url?.split('?', 1)[0] ?? '';
    const [, methods] = [...methodsOf].find(([pattern]) => fits(pattern, path)) ?? [];
    if (!methods) return;
    rateLimit(request, reply);
    throw refuse(request.method, listed(methods));
  });
  return () => {
    isReady = true;
    for (const [url, methods] of [...methodsOf]) {
      const missing = METHODS.filter((method) => !methods.has(method));
      if (url.includes('*') || missing.length === 0) continue;
      const allow = listed(methods);
      app.route({
        method: missing,
        url,
        async onRequest(request, reply) {
          rateLimit(request, reply);
          throw refuse(request.method, allow);
        },
        handler: () => undefined,
      });
    }
  };
}

/** What is wrong with the address before any route is asked. */
function addressProblem({ url = '', headers, httpVersion }: IncomingMessage): Problem | undefined {
  if (headers.host === undefined && httpVersion !== '1.0')
    return new Problem('malformed-request', 'The header Host is missing.');
  const query = url.indexOf('?');
  if (query < 0 || !url.includes('%', query)) return undefined;
  try {
    // The parser would let percent signs pass that encode nothing.
    decodeURIComponent(url.slice(query + 1));
    return undefined;
  } catch {
    return new Problem('malformed-url', 'The query has a percent sign that encodes nothing.');
  }
}

/** The headers that every answer has. */
const writeCommonHeaders = (request: FastifyRequest, reply: FastifyReply) =>
  reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });

const logAnswer = (request: FastifyRequest, reply: FastifyReply) =>
  request.log.info(
    {
      method: request.method,
      // Without the query: it can hold a password or a token.
      path: pathAsked(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    },
    'answered',
  );

/** Its route says so, however the path is written; a preflight has no route of its own. */
const isOauth = ({ routeOptions, raw }: FastifyRequest): boolean =>
  [routeOptions.url, raw.url].some((url) => url?.startsWith('/oauth/'));

/**
 * The HTTP side that every service shares: strict JSON, problems, request ids, CORS, security
 * headers, one log line an answer. `rewrite` turns the address that was asked for into that of a
 * route. Call `ready` after the last route is registered.
 */
export async function createHttp(
  options: HttpOptions,
  log: Logger,
  rateLimit: RateLimit,
  rewrite = (url: string): string => url,
): Promise<{ app: FastifyInstance; ready: () => void }> {
  const { PUBLIC_URL, TRUST_PROXY, BODY_LIMIT } = options;
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Typed for Ajv's own defaults; ours takes the same schemas.
    schemaController: {
      compilersFactory: { buildValidator: buildValidator as never, buildSerializer },
    },
    trustProxy: TRUST_PROXY ?? false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestIdHeader: false,
    rewriteUrl: ({ url = '' }) => rewrite(withoutOrigin(url)),
    genReqId: ({ headers: { 'x-request-id': id } }) =>
      typeof id === 'string' && /^[\w.-]{1,64}$/.test(id) ? id : randomUUID(),
    http: { requireHostHeader: false }, // refused below, with a problem
    // No route was found, so no hook runs: what the hooks below do is done here.
    frameworkErrors(error, request, reply) {
      let problem = toProblem(error);
      try {
        rateLimit(request, reply);
      } catch (exceeded) {
        problem = toProblem(exceeded);
      }
      writeCommonHeaders(request, reply);
      void sendProblem(request, reply, problem, PUBLIC_URL);
      logAnswer(request, reply);
    },
    clientErrorHandler: (error, socket) => refuseConnection(PUBLIC_URL, error, socket),
  });
  // What the listener would answer by itself, and without a problem.
  app.server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    refuseConnection(PUBLIC_URL, new Error('CONNECT'), socket as Socket);
  });
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  );
  takeJson(app);

  app.addHook('onRequest', async (request, reply) => {
    writeCommonHeaders(request, reply);
  });
  // A client that keeps its connection must not keep a process that stops.
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    app.server.keepAliveTimeout = 1; // for answers that no hook sees
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    if (isClosing) reply.header('connection', 'close');
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    return payload;
  });
  app.addHook('onResponse', async (request, reply) => logAnswer(request, reply));
  await app.register(cors, {
    delegator: (request, callback) =>
      callback(null, {
        origin: isOauth(request) ? false : '*',
        // Also a plain OPTIONS is answered.
        strictPreflight: false,
        methods: METHODS,
        exposedHeaders: EXPOSED_HEADERS,
        maxAge: 600,
      }),
  });
  // From here on answers can be read by scripts of other origins.
  app.addHook('onRequest', async (request, reply) => {
    const problem = addressProblem(request.raw);
    if (!problem) return;
    rateLimit(request, reply);
    throw problem;
  });
  const ready = refuseOtherMethods(app, rateLimit);
  handleErrors(app, PUBLIC_URL, rateLimit);
  return { app, ready };
}
