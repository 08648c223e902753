import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { headersNamed } from '../platform/documents/headers.ts';
import { problemResponses } from '../platform/documents/problem-responses.ts';
import { Problem } from '../platform/problems/problems.ts';
import { addressKey } from '../platform/http/rate-limit.ts';
import { sessionCookie, sessionOf } from './access.ts';
import { Nothing, problemsOfAnyAccept } from './fields.ts';
import type { PetstoreRoutes } from './index.ts';
import { deleteSession } from './sessions.queries.ts';
import { LoginQuery } from './users.schemas.ts';

/** 429 for attempts that guess at a secret, or make the server hash too many. */
export const throttled = (what: string, waitSeconds: number): Problem =>
  new Problem('too-many-requests', `${what} Try again in ${waitSeconds} s.`, {
    headers: { 'retry-after': String(waitSeconds) },
  });

export const sessionRoutes: FastifyPluginAsyncTypebox<PetstoreRoutes> = async (
  app,
  { database, sessions, publicUrl, callsPerHour },
) => {
  const cookieName = sessionCookie(publicUrl);
  const cookieOptions = {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: publicUrl.startsWith('https:'),
  } as const;

  app.get(
    '/user/login',
    {
      config: { access: 'login' },
      schema: {
        operationId: 'loginUser',
        summary: 'Log in',
        description:
          'Begins a session of an hour and answers its token, behind the words `logged in user session:`. Send the token as `Authorization: Bearer <token>`; a browser sends the cookie that is set here. A wrong username and a wrong password are the same 400, and whoever guesses too often gets 429 for some minutes.',
        tags: ['user'],
        security: [],
        querystring: LoginQuery,
        response: {
          200: Type.String({
            xml: { name: 'string' },
            description: '"logged in user session:" and the token of the session.',
            headers: headersNamed('Set-Cookie', 'X-Expires-After', 'X-Rate-Limit'),
          }),
          ...problemResponses(400),
        },
      },
    },
    async (request, reply) => {
      const { username, password } = request.query;
      const session = await sessions.logIn(username, password, addressKey(request.ip));
      if (!session) throw new Problem('wrong-credentials', 'Invalid username/password supplied.');
      if ('waitSeconds' in session)
        throw throttled('Too many attempts to log in.', session.waitSeconds);
      const { token, expiresAt } = session;
      reply
        .setCookie(cookieName, token, { ...cookieOptions, expires: expiresAt })
        .headers({ 'x-expires-after': expiresAt.toISOString(), 'x-rate-limit': callsPerHour });
      return `logged in user session:${token}`;
    },
  );

  app.get(
    '/user/logout',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'logoutUser',
        summary: 'Log out',
        description:
          'Ends the session that the request was sent with, and no other, and takes the cookie back.',
        tags: ['user'],
        security: [{ session: [] }, { session_cookie: [] }],
        response: {
          200: {
            ...Nothing('The session has ended.'),
            headers: headersNamed('Set-Cookie'),
          },
          ...problemsOfAnyAccept('malformed-url', 401, 403),
        },
      },
    },
    async (request, reply) => {
      await deleteSession(database.writes, sessionOf(request).tokenHash);
      return reply.clearCookie(cookieName, cookieOptions).send(undefined);
    },
  );
};
