import type { FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import type { VerifyToken } from '../platform/access/bearer.ts';
import type { Db } from '../platform/database/database.ts';
import type { RateLimit } from '../platform/http/rate-limit.ts';
import { openBuiltIn } from './built-in.ts';
import { openExternal } from './external/index.ts';
import type { ExternalTimes } from './external/keys.ts';
import type { ResourcesOptions } from './resources.ts';

export interface OauthOptions {
  config: ResourcesOptions & {
    NODE_ENV: string;
    ALLOW_SIGNUP: boolean;
    /** Another provider instead of our own. */
    OAUTH_ISSUER?: string;
    OAUTH_AUDIENCE?: string;
    OAUTH_ALGORITHMS: string;
    OAUTH_TYP: string;
    OAUTH_SCOPE_CLAIM: string;
  };
  db: Db;
  log: Logger;
  rateLimit: RateLimit;
  /** Shorter than usual in tests: together, how long a revoked key still verifies. */
  times?: OauthTimes;
}

interface OauthTimes {
  /** Greatest age of the set of keys. */
  keySetMs?: number;
  /** How long a token that was found valid is not verified again. */
  rememberMs?: number;
  external?: ExternalTimes;
}

export interface Oauth {
  plugin: FastifyPluginAsync;
  verify: VerifyToken;
  /**
   * An access token for another server, by its origin, that says nothing but that we sent it. It is
   * checked against our JWKS; undefined where the issuer is another, who alone could sign it.
   */
  signToken: (audience: string) => Promise<string | undefined>;
  /** Makes the demo account and clients; not for production. */
  seedDemo(): Promise<void>;
  /** Signs with the keys of the database as they are now; call it every few seconds. */
  followKeys(): Promise<void>;
  /** Deletes what has expired; call it every few minutes. */
  housekeeping(): Promise<unknown>;
  stop(): Promise<void>;
}

/** Our authorization server, or what stands for another; `db` is migrated. */
export async function openOauth(options: OauthOptions): Promise<Oauth> {
  const { OAUTH_ISSUER: issuer } = options.config;
  return issuer === undefined ? openBuiltIn(options) : openExternal(options, issuer);
}
