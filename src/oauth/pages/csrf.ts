import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../platform/problems/problems.ts';
import { type Html, html } from '../../platform/pages/html.ts';

export interface Csrf {
  /** The hidden field that every form holds; the first one gives the browser its cookie. */
  field(request: FastifyRequest, reply: FastifyReply): Html;
  /** Throws 403 unless the form comes from a page that this browser got from us. */
  check(request: FastifyRequest): void;
}

const NAME = 'quartet-csrf';

/**
 * A cookie and a field that must belong together. On https the cookie's name has the prefix
 * __Host-: neither a neighbouring subdomain nor plain http can plant one.
 */
export function createCsrf(publicUrl: string): Csrf {
  const { origin, protocol } = new URL(publicUrl);
  const secure = protocol === 'https:';
  const name = secure ? `__Host-${NAME}` : NAME;
  const tokenOf = (cookie: string) => createHmac('sha256', cookie).update('form').digest();

  return {
    field(request, reply) {
      let cookie = request.cookies[name];
      if (cookie === undefined || !/^[\w-]{43}$/.test(cookie)) {
        cookie = randomBytes(32).toString('base64url');
        reply.setCookie(name, cookie, { path: '/', httpOnly: true, sameSite: 'lax', secure });
      }
      return html`<input type="hidden" name="csrf" value="${tokenOf(cookie).toString('base64url')}">`;
    },
    check({ headers, cookies, body }) {
      const site = headers['sec-fetch-site'];
      const from = headers.origin;
      const token = (body as { csrf?: unknown } | undefined)?.csrf;
      const sent = Buffer.from(typeof token === 'string' ? token : '', 'base64url');
      const expected = tokenOf(cookies[name] ?? '');
      const isOurs =
        (site === undefined || site === 'same-origin' || site === 'none') &&
        // Browsers that are told to send no referrer send "null" here.
        (from === undefined || from === 'null' || from === origin) &&
        cookies[name] !== undefined &&
        sent.length === expected.length &&
        timingSafeEqual(sent, expected);
      if (!isOurs)
        throw new Problem('forbidden', 'This form is not, or no longer, one that you were given.');
    },
  };
}
