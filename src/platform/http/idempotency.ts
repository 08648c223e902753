import { createHash, createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database, Db, Tx } from '../database/database.ts';
import { sendSerialized } from './etag.ts';
import {
  claimKey,
  completeKey,
  findKey,
  type IdempotencyRecord,
  releaseKey,
} from './idempotency.queries.ts';
import { newId } from '../ids.ts';
import { invalidRequest, Problem } from '../problems/problems.ts';

/** A successful answer, before it is serialised by the route's schema. */
interface Answer {
  status: number;
  headers?: Record<string, string>;
  resource: unknown;
}

/**
 * Runs the last step of an effect, whose answer is stored in the same transaction. What must come
 * before (asking a gateway, say) is done outside of it.
 */
export type Commit = (step: (db: Db | Tx) => Promise<Answer>) => Promise<void>;

const unusable = () =>
  invalidRequest([
    { parameter: 'Idempotency-Key', detail: 'must be 1 to 255 printable ASCII characters' },
  ]);

function replay(reply: FastifyReply, record: IdempotencyRecord): FastifyReply {
  return reply
    .code(record.status ?? 200)
    .type('application/json; charset=utf-8')
    .headers({ ...record.headers, 'idempotency-replayed': 'true' })
    .serializer(String)
    .send(record.body);
}

/**
 * Answers a POST that creates or pays. With an Idempotency-Key, `effect` happens once for `caller`,
 * and the same request gets the same bytes for a day; without one it just happens. Failures are
 * not kept: nothing was changed, so the request can be sent again.
 */
export async function answerOnce(
  { db, writes }: Pick<Database, 'db' | 'writes'>,
  caller: string,
  request: FastifyRequest,
  reply: FastifyReply,
  effect: (commit: Commit) => Promise<void>,
): Promise<FastifyReply> {
  const key = request.headers['idempotency-key'];
  let body = '';
  const serialize = (answer: Answer) => {
    reply.code(answer.status).headers(answer.headers ?? {});
    body = reply.serialize(answer.resource) as string;
  };
  const send = () => sendSerialized(reply, body);

  if (key === undefined) {
    await effect(async (step) => serialize(await step(writes)));
    return send();
  }
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) throw unusable();

  const [path, query] = request.url.split(/\?(.*)/s);
  const route = `${request.method} ${path}`;
  const keyHash = createHash('sha256').update(`${caller}\n${route}\n${key}`).digest();
  const sent = JSON.stringify(request.body ?? null) + (query ? `?${query}` : '');
  const fingerprint = createHmac('sha256', key).update(sent).digest();
  const claimId = newId();
  if (!(await claimKey(db, { keyHash, fingerprint, claimId }))) {
    const record = await findKey(db, keyHash);
    if (record && !record.fingerprint.equals(fingerprint))
      throw new Problem('idempotency-key-reused', 'This Idempotency-Key came with another body.');
    if (record?.status) return replay(reply, record);
    throw new Problem('idempotency-key-in-use', 'The first request with this key still runs.', {
      headers: { 'retry-after': '1' },
    });
  }
  try {
    await effect((step) =>
      db.transaction().execute(async (tx) => {
        const answer = await step(tx);
        serialize(answer);
        const type = reply.getHeader('content-type');
        const headers = {
          ...answer.headers,
          ...(type !== undefined && { 'content-type': `${type}` }),
        };
        const stored = { status: answer.status, headers, body };
        if (!(await completeKey(tx, claimId, stored)))
          throw new Error('The idempotency claim was taken over while the request ran.');
      }),
    );
  } catch (error) {
    await releaseKey(db, claimId);
    throw error;
  }
  return send();
}
