import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCounter } from '../access/counter.ts';
import { Problem } from '../problems/problems.ts';

export interface RateLimitOptions {
  RATE_LIMIT_MAX: number;
  RATE_LIMIT_WINDOW: number;
}

/** IPv6 hands every customer a /64, so that is what counts as one address. */
export function addressKey(ip: string): string {
  if (!ip.includes(':')) return ip;
  if (ip.includes('.')) return ip.slice(ip.lastIndexOf(':') + 1); // IPv4 on an IPv6 socket
  const [left = [], right] = ip.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = right ? Array(8 - left.length - right.length).fill('0') : [];
  return [...left, ...zeros, ...(right ?? [])].slice(0, 4).join(':');
}

/**
 * Counts requests in fixed windows of `RATE_LIMIT_WINDOW` seconds, `RATE_LIMIT_MAX` a caller, in
 * this process. Writes `RateLimit` and `RateLimit-Policy`, and throws 429 beyond the quota.
 */
export function createRateLimit({
  RATE_LIMIT_MAX: max,
  RATE_LIMIT_WINDOW: seconds,
}: RateLimitOptions) {
  const used = createCounter(seconds);
  const policy = `${max};w=${seconds}`;

  return function count(request: FastifyRequest, reply: FastifyReply, caller?: string): void {
    if (max === 0) return;
    const reset = used.secondsLeft();
    const requests = used.add(caller ?? addressKey(request.ip), 1);
    reply.header(
      'ratelimit',
      `limit=${max}, remaining=${Math.max(0, max - requests)}, reset=${reset}`,
    );
    reply.header('ratelimit-policy', policy);
    if (requests > max)
      throw new Problem(
        'too-many-requests',
        `More than ${max} requests in ${seconds} s; the next window starts in ${reset} s.`,
        { headers: { 'retry-after': String(reset) } },
      );
  };
}

export type RateLimit = ReturnType<typeof createRateLimit>;
