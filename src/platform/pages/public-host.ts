import type { onRequestAsyncHookHandler } from 'fastify';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Cookies of "localhost" are not sent to "127.0.0.1". Whoever opens a page under the one is sent to
 * the other where PUBLIC_URL has it, so that a sign-in ends on the host that it began on.
 */
export function toPublicHost(publicUrl: string): onRequestAsyncHookHandler {
  const { host, port } = new URL(publicUrl);
  return async function redirectToPublicHost({ method, headers, url }, reply) {
    const asked = headers.host ?? '';
    if (method !== 'GET' || asked === host || !LOOPBACK.test(host) || !LOOPBACK.test(asked)) return;
    if ((/:(\d+)$/.exec(asked)?.[1] ?? '') === port) return reply.redirect(publicUrl + url, 303);
  };
}
