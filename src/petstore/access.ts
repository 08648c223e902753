import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeyHolder, VerifyApiKey } from '../platform/access/api-keys.ts';
import {
  bearerScheme,
  bearerToken,
  type Caller,
  callerKey,
  type VerifyToken,
} from '../platform/access/bearer.ts';
import { Problem } from '../platform/problems/problems.ts';
import { addressKey, type RateLimit } from '../platform/http/rate-limit.ts';
import type { Session } from './sessions.queries.ts';
import { isSessionToken, type Sessions } from './sessions.ts';

/**
 * What an operation asks for: an access token with the scope or an API key; an API key; a session;
 * `login` takes none, and does not look at what is sent. Without any of these it is public.
 */
type Access = 'read:pets' | 'write:pets' | 'api_key' | 'session' | 'login';

/** The valid credentials of a request. */
interface Credentials {
  apiKey?: ApiKeyHolder;
  caller?: Caller;
  session?: Session;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of an operation of the petstore. */
    access?: Access;
  }
  interface FastifyRequest {
    /** Of a request to the petstore; null elsewhere. */
    credentials: Credentials | null;
  }
}

export interface AccessOptions {
  verify: VerifyToken;
  verifyApiKey: VerifyApiKey;
  sessions: Sessions;
  rateLimit: RateLimit;
  publicUrl: string;
  baseUrl: string;
  metadataUrl: string;
}

const API_KEY_CHALLENGE = 'ApiKey realm="petstore", header="api_key"';
const SESSION_CHALLENGE = 'Bearer realm="petstore users"';
const LOG_IN = 'Log in with GET';
export const TOKEN_OR_KEY =
  'Send an access token as "Authorization: Bearer <access token>", or an API key in the header "api_key".';

/** Where a browser keeps the session; on https no neighbour can plant one under this name. */
export const sessionCookie = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-petstore_session' : 'petstore_session';

/** Who is counted, and whose Idempotency-Keys these are: the credentials, else the address. */
export function callerOf({ credentials, ip }: FastifyRequest): string {
  const { apiKey, caller, session } = credentials ?? {};
  if (apiKey) return `api key ${apiKey.id}`;
  if (caller) return callerKey(caller);
  return session ? `petstore user ${session.userId}` : addressKey(ip);
}

/** The session of an operation that asks for one. */
export function sessionOf({ credentials, routeOptions }: FastifyRequest): Session {
  if (!credentials?.session) throw new Error(`${routeOptions.url} asks for no session`);
  return credentials.session;
}

/** Another site's page must not use the cookie; browsers say where a request comes from. */
const isOfOurPages = (site: unknown): boolean =>
  site === undefined || site === 'same-origin' || site === 'none';

/**
 * Guards every route of `app`: credentials that are sent must be valid, also where none are needed,
 * and fit the operation. Every request counts against its caller's quota, or its address's.
 */
export async function guardAccess(app: FastifyInstance, options: AccessOptions): Promise<void> {
  const { verify, verifyApiKey, sessions, rateLimit, publicUrl, baseUrl, metadataUrl } = options;
  const bearer = bearerScheme({ verify, realm: 'petstore', metadataUrl });
  const cookieName = sessionCookie(publicUrl);

  const refuse = (detail: string, challenge: string) =>
    new Problem('unauthorized', detail, { headers: { 'www-authenticate': challenge } });
  const wrongKey = () =>
    refuse('The API key in the header "api_key" is not valid, or was revoked.', API_KEY_CHALLENGE);
  const noSession = (detail: string) =>
    refuse(`${detail} Log in with GET ${baseUrl}/user/login.`, SESSION_CHALLENGE);

  /** Adds what Authorization, api_key and the cookie prove; answers what they prove wrong. */
  async function read(
    { headers, cookies }: FastifyRequest,
    credentials: Credentials,
    access: Access | undefined,
  ): Promise<Problem | undefined> {
    const { authorization, api_key: key } = headers;
    if (key !== undefined) {
      const holder = await verifyApiKey(String(key));
      if (!holder) return wrongKey();
      credentials.apiKey = holder;
    }
    if (authorization !== undefined) {
      const token = bearerToken(authorization);
      if (token === undefined)
        return bearer.unauthorized('Send credentials as "Authorization: Bearer <token>".');
      if (isSessionToken(token)) {
        const session = await sessions.find(token);
        if (!session) return noSession('The session has ended.');
        credentials.session = session;
      } else {
        const caller = await bearer.authenticate(token);
        if (caller instanceof Problem) return caller;
        credentials.caller = caller;
      }
    }
    const token = cookies[cookieName];
    if (access !== 'session' || credentials.session || token === undefined) return undefined;
    if (!isOfOurPages(headers['sec-fetch-site'])) return undefined;
    const session = await sessions.find(token);
    if (!session) return noSession('The session has ended.');
    credentials.session = session;
    return undefined;
  }

  /** Why valid credentials, or none, are not enough. */
  function lacking(access: Access | undefined, sent: Credentials): Problem | undefined {
    const { apiKey, caller, session } = sent;
    const isOther = apiKey !== undefined || caller !== undefined || session !== undefined;
    switch (access) {
      case undefined:
      case 'login':
        return undefined;
      case 'session':
        if (session) return undefined;
        return isOther
          ? new Problem(
              'forbidden',
              `Only a logged-in user may do this. ${LOG_IN} ${baseUrl}/user/login.`,
            )
          : noSession('Only a logged-in user may do this.');
      case 'api_key':
        if (apiKey) return undefined;
        return isOther
          ? new Problem(
              'forbidden',
              'This operation takes an API key only, in the header "api_key".',
            )
          : refuse('This operation needs an API key, in the header "api_key".', API_KEY_CHALLENGE);
      default:
        if (apiKey || caller?.scopes.has(access)) return undefined;
        if (caller) return bearer.insufficientScope(access);
        return session
          ? new Problem('forbidden', `A session is for the user operations. ${TOKEN_OR_KEY}`)
          : bearer.unauthorized(`This operation needs credentials. ${TOKEN_OR_KEY}`);
    }
  }

  await app.register(cookie);
  app.decorateRequest('credentials', null);
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const { access } = request.routeOptions.config;
    const credentials: Credentials = {};
    request.credentials = credentials;
    const refused = access === 'login' ? undefined : await read(request, credentials, access);
    rateLimit(request, reply, callerOf(request));
    const problem = refused ?? lacking(access, credentials);
    if (problem) throw problem;
  });
}
