import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ProblemSchema } from '../documents/problem-responses.ts';
import { problemType, varyByAccept } from '../formats/media-types.ts';
import { memberOf } from '../formats/shape.ts';
import { xmlWriter } from '../formats/xml-writer.ts';
import { notFound, Problem, problemDocument, unavailable } from '../problems/problems.ts';
import type { RateLimit } from './rate-limit.ts';
import { validationProblem } from './validation.ts';

/** What the framework refuses before a handler runs, by its error code. */
function frameworkProblem(error: FastifyError): Problem | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('unsupported-media-type', 'Send the body as application/json.', {
        headers: { accept: 'application/json' },
      });
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new Problem('malformed-body', 'The body is empty; send a JSON object.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem('malformed-body', 'The body does not have the length in Content-Length.');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('body-too-large', 'The body is larger than this operation takes.');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_ASYNC_CONSTRAINT':
      return new Problem('malformed-url', 'The path has a percent sign that encodes nothing.');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Problem('uri-too-long', 'A part of the path has more than 100 characters.');
    default:
      return undefined;
  }
}

/** SQLSTATEs and socket errors that mean: not now, try again. */
const AWAY = /^(08...|53...|57P0[1-5]|ECONN.*|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)$/;
const AWAY_MESSAGE =
  /^(database ".*" is not currently accepting connections|Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/;
/** Those that can come after a statement was sent: it may have been carried out. */
const UNSURE = /^(08...|57P0[12]|ECONNRESET|EPIPE|ETIMEDOUT)$/;
const UNSURE_MESSAGE = /^(Connection terminated|Query read timeout)/;

/** What the database refuses, where that is not a fault of ours. */
function databaseProblem(error: Error & { code?: string }): Problem | undefined {
  if (UNSURE.test(error.code ?? '') || UNSURE_MESSAGE.test(error.message))
    return unavailable(
      'The database was lost on the way. Look whether a change took effect before you repeat it, or repeat it with its Idempotency-Key.',
    );
  if (AWAY.test(error.code ?? '') || AWAY_MESSAGE.test(error.message))
    return unavailable('The database does not answer at the moment. Nothing was changed.');
  // Serialization failure or deadlock: the transaction was rolled back whole.
  if (error.code === '40001' || error.code === '40P01')
    return unavailable('Too many requests changed this at the same time. Nothing was changed.', 1);
  // Text that PostgreSQL cannot hold: the NUL character.
  if (error.code === '22021' || error.code === '22P05')
    return new Problem('invalid-request', 'The request holds a NUL character; remove it.');
  // A date that the schema takes and the calendar of PostgreSQL does not: the year 0, say.
  if (error.code === '22007' || error.code === '22008')
    return new Problem('invalid-request', 'A date or time in the request is out of range.');
  return undefined;
}

/** Turns whatever was thrown into the problem that the caller sees. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const known = error as FastifyError;
  if (known.validation) return validationProblem(known.validation, known.validationContext);
  return (
    frameworkProblem(known) ??
    databaseProblem(known) ??
    new Problem('internal-error', 'The request failed by a fault of ours; it has been logged.')
  );
}

/** "GET http://host/path" is for proxies; what stands before the path is not ours to believe. */
export const withoutOrigin = (url: string): string => url.replace(/^https?:\/\/[^/?]*/i, '') || '/';

/** The path as the client sent it, without the query. */
export const pathAsked = ({ originalUrl }: FastifyRequest): string =>
  withoutOrigin(originalUrl).split('?', 1)[0] ?? '';

const problemXml = xmlWriter(
  memberOf(ProblemSchema, {}, 'Problem'),
  ProblemSchema['xml'].namespace,
);

/** Writes the problem as the client's Accept prefers it: JSON or XML. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  publicUrl: string,
): FastifyReply {
  const type = problemType(request.headers.accept);
  varyByAccept(reply);
  return reply
    .code(problem.status)
    .headers({ 'cache-control': 'no-store', ...problem.headers })
    .type(type)
    .serializer(type === 'application/problem+xml' ? problemXml : JSON.stringify)
    .send(problemDocument(problem, publicUrl, pathAsked(request)));
}

/** The only place that turns an error into a status. */
export function handleErrors(app: FastifyInstance, publicUrl: string, rateLimit: RateLimit): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error);
    if (problem.status >= 500) request.log.error({ err: error }, 'request failed');
    return sendProblem(request, reply, problem, publicUrl);
  });
  const refuseUnknownPath = (request: FastifyRequest, reply: FastifyReply) => {
    rateLimit(request, reply);
    const problem = notFound(`No operation has the path ${pathAsked(request)}.`);
    return sendProblem(request, reply, problem, publicUrl);
  };
  // At once: a body for no operation is not read, so nothing can be wrong with it.
  app.addHook('onRequest', async (request, reply) =>
    request.is404 ? refuseUnknownPath(request, reply) : undefined,
  );
  app.setNotFoundHandler(refuseUnknownPath);
}
