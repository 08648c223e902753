import type { Socket } from 'node:net';
import { Agent, type Dispatcher, errors } from 'undici';
import type { Claimed } from './dispatch.queries.ts';
import { signatureHeaders } from './signature.ts';
import { ForbiddenTargetError, type Targets } from './target.ts';

/** An access token for the receiver at `audience`, an origin; undefined: there are none of ours. */
export type SignToken = (audience: string) => Promise<string | undefined>;

export interface DeliveryOptions {
  targets: Targets;
  signToken: SignToken;
  /** From the start of an attempt to the end of the answer, however slowly that comes. */
  timeoutSeconds: number;
}

/** What a receiver answered, or why there is no answer. */
export interface Outcome {
  status: number | null;
  /** The first 16 KiB of what came, as text. */
  response: string;
  /** Undefined where the answer was 2xx. */
  error?: string;
  /** Seconds, from Retry-After. */
  retryAfter?: number;
  /** More came than is read: the connection had to be closed. */
  isBrokenOff?: boolean;
}

export interface Deliverer {
  /** Sends the delivery once; never throws. Undefined: it was broken off by `close`. */
  attempt(delivery: Claimed): Promise<Outcome | undefined>;
  /** Breaks off what is under way. */
  close(): Promise<void>;
}

class DeadlineError extends Error {}
class PaddedAnswerError extends Error {}

/** As much of an answer as is read and kept. */
const RESPONSE_BYTES = 16_384;
/** What may come in answer to one request, its head and framing included, before 16 KiB of it are content. */
const WIRE_BYTES = 262_144;
/** Connections to one origin, whoever's subscriptions lead there; what goes beyond waits for one. */
const CONNECTIONS = 256;
const KEEP_ALIVE_MS = 30_000;

/** Why no answer came, in a subscriber's words. */
function explain(error: Error & { code?: string }, timeoutSeconds: number): string {
  if (error instanceof ForbiddenTargetError)
    return `The target ${error.message}. Nothing was sent.`;
  if (error instanceof DeadlineError)
    return `The answer was not complete within ${timeoutSeconds} s.`;
  if (error instanceof errors.ConnectTimeoutError) return 'The connection was not made in time.';
  if (error instanceof PaddedAnswerError)
    return 'The answer is longer than 256 KiB without its content.';
  if (error instanceof errors.HeadersOverflowError) return 'The answer has too many headers.';
  if (
    error instanceof errors.HTTPParserError ||
    error instanceof errors.ResponseContentLengthMismatchError
  )
    return 'The answer is not HTTP/1.1.';
  if (error instanceof AggregateError && error.errors[0])
    return explain(error.errors[0], timeoutSeconds);
  switch (error.code) {
    case 'ENOTFOUND':
    case 'ENODATA':
    case 'EAI_AGAIN':
      return 'The name of the target is not known.';
    case 'ETIMEOUT':
      return 'The name servers of the target did not answer.';
    case 'ECONNREFUSED':
      return 'The connection was refused.';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'The target cannot be reached.';
    case 'UND_ERR_SOCKET':
    case 'ECONNRESET':
    case 'EPIPE':
      return 'The connection was closed before the answer was complete.';
    default:
      return error.code === undefined
        ? 'The attempt failed.'
        : `The attempt failed (${error.code}).`; // of TLS above all: CERT_HAS_EXPIRED and the like
  }
}

/** Seconds that a Retry-After asks for, as a number or a date. */
function parseRetryAfter(header: unknown): number | undefined {
  if (typeof header !== 'string') return undefined;
  const seconds = /^\d{1,9}$/.test(header)
    ? Number(header)
    : (Date.parse(header) - Date.now()) / 1000;
  return seconds > 0 ? seconds : undefined;
}

/** Text that the database can hold, whatever the bytes are. */
const toText = (chunks: Buffer[]): string =>
  new TextDecoder().decode(Buffer.concat(chunks)).replaceAll('\0', '\u{fffd}');

/**
 * Reads at most 16 KiB into `chunks`; a longer answer is broken off, its connection with it.
 * Answers whether it was.
 */
async function readStart(body: AsyncIterable<Buffer>, chunks: Buffer[]): Promise<boolean> {
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, RESPONSE_BYTES - length));
    length += chunk.length;
    if (length >= RESPONSE_BYTES) return true; // ends the iteration, which destroys the stream
  }
  return false;
}

/**
 * Breaks a connection off that brings more in answer to one request than is ever wanted: interim
 * answers and chunk extensions without end pass below every limit on headers and content.
 */
function limitReads(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  let written = 0;
  let bytes = 0;
  socket.read = (size) => {
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten; // the next request
      bytes = 0;
    }
    const chunk: Buffer | null = read(size);
    bytes += chunk?.length ?? 0;
    if (bytes <= WIRE_BYTES) return chunk;
    socket.destroy(new PaddedAnswerError());
    return null;
  };
  return socket;
}

/** Sends signed requests over kept-alive connections; follows no redirect, unpacks nothing. */
export function createDeliverer(options: DeliveryOptions): Deliverer {
  const { targets, signToken, timeoutSeconds } = options;
  const agent = new Agent({
    connect: (to, callback) =>
      targets.connect(to, (...[error, socket]) =>
        error ? callback(error, null) : callback(null, limitReads(socket)),
      ),
    connections: CONNECTIONS,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0, // the deadline is one for all
    bodyTimeout: 0,
    maxHeaderSize: RESPONSE_BYTES,
  });

  async function send(delivery: Claimed, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const url = new URL(delivery.url);
    const body = JSON.stringify(delivery.payload);
    const { secret, previous_secret } = delivery;
    const secrets = previous_secret ? [secret, previous_secret] : [secret];
    const token = await signToken(url.origin);
    return agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: {
        ...delivery.headers,
        'content-type': 'application/json',
        'user-agent': 'Quartet-Webhooks',
        ...signatureHeaders(delivery.event_id, Math.floor(Date.now() / 1000), body, secrets),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(delivery.is_test && { 'webhook-test': 'true' }),
      },
      body,
      signal,
    });
  }

  const underWay = new Set<AbortController>();
  let closed = false;

  return {
    async attempt(delivery) {
      const controller = new AbortController();
      underWay.add(controller);
      const timer = setTimeout(() => controller.abort(new DeadlineError()), timeoutSeconds * 1000);
      let status: number | null = null;
      const chunks: Buffer[] = [];
      try {
        const answer = await send(delivery, controller.signal);
        status = answer.statusCode;
        const brokenOff = (await readStart(answer.body, chunks)) && { isBrokenOff: true };
        const response = toText(chunks);
        if (status >= 200 && status <= 299) return { status, response, ...brokenOff };
        const error = `The answer was ${status}; only 2xx counts as received.`;
        const retryAfter =
          status === 429 || status === 503
            ? parseRetryAfter(answer.headers['retry-after'])
            : undefined;
        return {
          status,
          response,
          error,
          ...brokenOff,
          ...(retryAfter !== undefined && { retryAfter }),
        };
      } catch (error) {
        if (closed) return undefined;
        // What came of the answer is kept: it says who broke off.
        return { status, response: toText(chunks), error: explain(error as Error, timeoutSeconds) };
      } finally {
        clearTimeout(timer);
        underWay.delete(controller);
      }
    },
    async close() {
      closed = true;
      for (const controller of underWay) controller.abort();
      await agent.destroy();
    },
  };
}
