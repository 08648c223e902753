import type { FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import type { Db } from '../../platform/database/database.ts';
import type { Accounts } from '../accounts.ts';
import type { Csrf } from './csrf.ts';

export interface PagesOptions {
  publicUrl: string;
  /** Where the services that tokens are for are mounted. */
  trainUrl: string;
  db: Db;
  csrf: Csrf;
  accounts: Accounts;
  /** The library as it is now: key rotation replaces it. */
  provider: () => Provider;
  sessionCookie: { name: string; options: { path: string; secure: boolean } };
  /** False in production: demo accounts do not exist. */
  withDemo: boolean;
  allowSignUp: boolean;
}

/** The session of this browser; a new, empty one where it has none. */
export function sessionOf(provider: Provider, { raw }: FastifyRequest, reply: FastifyReply) {
  return provider.Session.get(provider.createContext(raw, reply.raw) as never);
}
