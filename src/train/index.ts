import type { FastifyPluginAsync } from 'fastify';
import { bearerAuth, type VerifyToken } from '../platform/access/bearer.ts';
import type { Database } from '../platform/database/database.ts';
import { describeService, type Documents } from '../platform/documents/documents.ts';
import { ProblemSchema } from '../platform/documents/problem-responses.ts';
import { requireAccepted } from '../platform/http/negotiation.ts';
import { PageLinksSchema } from '../platform/http/pagination.ts';
import type { Passes } from '../platform/passes/passes.ts';
import type { RateLimit } from '../platform/http/rate-limit.ts';
import type { Webhooks } from '../webhooks/index.ts';
import { WEBHOOK_SCHEMAS } from '../webhooks/routes.ts';
import { bookingRoutes } from './bookings.routes.ts';
import { Booking, SelfLink } from './bookings.schemas.ts';
import { CurrencySchema } from './currency.schemas.ts';
import { trainDocument } from './document.ts';
import { trainExamples } from './examples.ts';
import type { PaymentGateway } from './payments/gateway.ts';
import { paymentRoutes } from './payments/payments.routes.ts';
import {
  MaskedBankAccount,
  MaskedCard,
  Payment,
  PaymentLinks,
  PaymentSource,
} from './payments/payments.schemas.ts';
import { stationRoutes } from './stations.routes.ts';
import { Station } from './stations.schemas.ts';
import { tripRoutes } from './trips.routes.ts';
import { ticketRoutes } from './ticket/ticket.routes.ts';
import { Trip } from './trips.schemas.ts';
import { bookingWebhooks } from './webhooks.ts';

export interface TrainOptions {
  prefix: string;
  config: {
    PUBLIC_URL: string;
    TRAIN_BASE_PATH: string;
    BOOKING_HOLD_SECONDS: number;
    OAUTH_ISSUER?: string;
  };
  database: Database;
  rateLimit: RateLimit;
  verify: VerifyToken;
  gateway: PaymentGateway;
  webhooks: Webhooks;
  passes: Passes;
  documents: Documents;
}

/** What the routes of the train service are given. */
export interface TrainRoutes {
  database: Database;
  /** Origin of absolute links. */
  publicUrl: string;
  /** Origin and base path: what every path of this service stands behind. */
  baseUrl: string;
  holdSeconds: number;
  gateway: PaymentGateway;
  webhooks: Webhooks;
  passes: Passes;
}

/** Shared schemas, by reference in the document. */
const SCHEMAS = [
  ProblemSchema,
  PageLinksSchema,
  SelfLink,
  PaymentLinks,
  CurrencySchema,
  Station,
  Trip,
  Booking,
  MaskedCard,
  MaskedBankAccount,
  PaymentSource,
  Payment,
  ...WEBHOOK_SCHEMAS,
];

/** Train Travel: stations, trips, bookings and payments. */
export const train: FastifyPluginAsync<TrainOptions> = async (app, options) => {
  const { config, database, rateLimit, verify, gateway, webhooks, passes, documents } = options;
  const { PUBLIC_URL, TRAIN_BASE_PATH, BOOKING_HOLD_SECONDS } = config;
  bearerAuth(app, {
    verify,
    rateLimit,
    realm: 'train',
    metadataUrl: `${PUBLIC_URL}/.well-known/oauth-protected-resource${TRAIN_BASE_PATH}`,
  });
  app.addHook('onRequest', async (request) => requireAccepted(request));
  const baseUrl = PUBLIC_URL + TRAIN_BASE_PATH;
  await describeService(app, documents, 'train', {
    publicUrl: PUBLIC_URL,
    openapi: trainDocument(PUBLIC_URL, baseUrl, config.OAUTH_ISSUER),
    examples: trainExamples(PUBLIC_URL, baseUrl),
  });
  for (const schema of SCHEMAS) app.addSchema(schema);

  const routes: TrainRoutes = {
    database,
    publicUrl: PUBLIC_URL,
    baseUrl,
    holdSeconds: BOOKING_HOLD_SECONDS,
    gateway,
    webhooks,
    passes,
  };
  await app.register(stationRoutes, routes);
  await app.register(tripRoutes, routes);
  await app.register(bookingRoutes, routes);
  await app.register(paymentRoutes, routes);
  await app.register(ticketRoutes, routes);
  await app.register(bookingWebhooks, routes);
};
