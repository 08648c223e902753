import type { FastifyPluginAsync } from 'fastify';
import { apiKeyVerifier } from '../platform/access/api-keys.ts';
import type { VerifyToken } from '../platform/access/bearer.ts';
import type { Database } from '../platform/database/database.ts';
import { describeService, type Documents } from '../platform/documents/documents.ts';
import { ProblemSchema } from '../platform/documents/problem-responses.ts';
import { speakFormats } from '../platform/formats/index.ts';
import type { RateLimit } from '../platform/http/rate-limit.ts';
import { guardAccess, sessionCookie } from './access.ts';
import { petstoreDocument } from './document.ts';
import { PETSTORE_DETAILS, petstoreExamples } from './examples.ts';
import { ApiResponse, imageRoutes } from './images/images.routes.ts';
import { orderRoutes } from './orders.routes.ts';
import { Order } from './orders.schemas.ts';
import { petRoutes } from './pets.routes.ts';
import { Category, Pet, Tag } from './pets.schemas.ts';
import { openSessions, type Sessions } from './sessions.ts';
import { sessionRoutes } from './sessions.routes.ts';
import { userRoutes } from './users.routes.ts';
import { NewUser, User } from './users.schemas.ts';

export interface PetstoreOptions {
  prefix: string;
  config: {
    NODE_ENV: string;
    PUBLIC_URL: string;
    PETSTORE_BASE_PATH: string;
    RATE_LIMIT_MAX: number;
    RATE_LIMIT_WINDOW: number;
    OAUTH_ISSUER?: string;
  };
  database: Database;
  rateLimit: RateLimit;
  verify: VerifyToken;
  documents: Documents;
}

/** What the routes of the petstore are given. */
export interface PetstoreRoutes {
  database: Database;
  sessions: Sessions;
  /** Origin of absolute links. */
  publicUrl: string;
  /** Origin and base path: what every path of this service stands behind. */
  baseUrl: string;
  /** False in production: demonstration users do not exist. */
  withDemo: boolean;
  callsPerHour: number;
}

const GREATEST_INT32 = 2_147_483_647;

/** What the rate limit comes to in an hour; without a limit, as many as an int32 holds. */
const callsPerHour = ({
  RATE_LIMIT_MAX: max,
  RATE_LIMIT_WINDOW: seconds,
}: PetstoreOptions['config']) =>
  max === 0 ? GREATEST_INT32 : Math.min(GREATEST_INT32, Math.floor((max * 3600) / seconds));

/** Shared schemas, by reference in the document. */
const SCHEMAS = [ProblemSchema, Category, Tag, Pet, ApiResponse, Order, User, NewUser];

/** Petstore: pets with their images, orders, users and their sessions, in JSON, XML and form. */
export const petstore: FastifyPluginAsync<PetstoreOptions> = async (app, options) => {
  const { config, database, rateLimit, verify, documents } = options;
  const { PUBLIC_URL, PETSTORE_BASE_PATH, NODE_ENV } = config;
  const withDemo = NODE_ENV !== 'production';
  const baseUrl = PUBLIC_URL + PETSTORE_BASE_PATH;
  const sessions = openSessions(database, withDemo);
  await guardAccess(app, {
    verify,
    verifyApiKey: apiKeyVerifier(database.reads, 'petstore', withDemo),
    sessions,
    rateLimit,
    publicUrl: PUBLIC_URL,
    baseUrl,
    metadataUrl: `${PUBLIC_URL}/.well-known/oauth-protected-resource${PETSTORE_BASE_PATH}`,
  });
  speakFormats(app);
  const document = petstoreDocument(
    PUBLIC_URL,
    PETSTORE_BASE_PATH,
    sessionCookie(PUBLIC_URL),
    config.OAUTH_ISSUER,
  );
  await describeService(app, documents, 'petstore', {
    publicUrl: PUBLIC_URL,
    openapi: document,
    examples: petstoreExamples(baseUrl),
    details: PETSTORE_DETAILS,
  });
  for (const schema of SCHEMAS) app.addSchema(schema);

  const routes: PetstoreRoutes = {
    database,
    sessions,
    publicUrl: PUBLIC_URL,
    baseUrl,
    withDemo,
    callsPerHour: callsPerHour(config),
  };
  await app.register(petRoutes, routes);
  await app.register(imageRoutes, routes);
  await app.register(orderRoutes, routes);
  await app.register(sessionRoutes, routes);
  await app.register(userRoutes, routes);
};
