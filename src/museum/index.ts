import type { FastifyPluginAsync } from 'fastify';
import type { Database } from '../platform/database/database.ts';
import { describeService, type Documents } from '../platform/documents/documents.ts';
import { ProblemSchema } from '../platform/documents/problem-responses.ts';
import { requireAccepted } from '../platform/http/negotiation.ts';
import { PageLinksSchema } from '../platform/http/pagination.ts';
import type { Passes } from '../platform/passes/passes.ts';
import type { RateLimit } from '../platform/http/rate-limit.ts';
import type { Webhooks } from '../webhooks/index.ts';
import { WEBHOOK_SCHEMAS } from '../webhooks/routes.ts';
import { staffVerifier } from './staff/credentials.ts';
import { MUSEUM_DETAILS, museumDocument } from './document.ts';
import { museumExamples } from './examples.ts';
import { eventRoutes } from './events.routes.ts';
import { SpecialEvent } from './events.schemas.ts';
import { hoursRoutes } from './hours.routes.ts';
import { MuseumDailyHours } from './hours.schemas.ts';
import { staffAuth } from './staff/auth.ts';
import { oneTicketRoutes } from './ticket.routes.ts';
import { ticketRoutes } from './tickets.routes.ts';
import {
  EventTicket,
  EventTicketConfirmation,
  GeneralTicket,
  GeneralTicketConfirmation,
  ListedTicket,
  Ticket,
  TicketConfirmation,
} from './tickets.schemas.ts';
import { eventWebhooks } from './webhooks.ts';

export interface MuseumOptions {
  prefix: string;
  config: {
    NODE_ENV: string;
    PUBLIC_URL: string;
    MUSEUM_BASE_PATH: string;
    MUSEUM_TIMEZONE: string;
  };
  database: Database;
  rateLimit: RateLimit;
  passes: Passes;
  webhooks: Webhooks;
  documents: Documents;
}

/** What the routes of the museum are given. */
export interface MuseumRoutes {
  database: Database;
  /** Origin of absolute links. */
  publicUrl: string;
  /** Origin and base path: what every path of this service stands behind. */
  baseUrl: string;
  /** IANA name of the museum's own clock and calendar. */
  timezone: string;
  passes: Passes;
  webhooks: Webhooks;
}

/** Shared schemas, by reference in the document. */
const SCHEMAS = [
  ProblemSchema,
  PageLinksSchema,
  MuseumDailyHours,
  SpecialEvent,
  EventTicketConfirmation,
  GeneralTicketConfirmation,
  TicketConfirmation,
  EventTicket,
  GeneralTicket,
  Ticket,
  ListedTicket,
  ...WEBHOOK_SCHEMAS,
];

/** The museum: its hours, special events, and tickets. */
export const museum: FastifyPluginAsync<MuseumOptions> = async (app, options) => {
  const { config, database, rateLimit, passes, webhooks, documents } = options;
  const { PUBLIC_URL, MUSEUM_BASE_PATH, MUSEUM_TIMEZONE, NODE_ENV } = config;
  const baseUrl = PUBLIC_URL + MUSEUM_BASE_PATH;
  const verify = staffVerifier(database.reads, NODE_ENV !== 'production');
  await staffAuth(app, { verify, rateLimit });
  app.addHook('onRequest', async (request) => requireAccepted(request));
  await describeService(app, documents, 'museum', {
    publicUrl: PUBLIC_URL,
    openapi: museumDocument(PUBLIC_URL, baseUrl),
    examples: museumExamples(PUBLIC_URL, baseUrl),
    details: MUSEUM_DETAILS,
  });
  for (const schema of SCHEMAS) app.addSchema(schema);

  const routes: MuseumRoutes = {
    database,
    publicUrl: PUBLIC_URL,
    baseUrl,
    timezone: MUSEUM_TIMEZONE,
    passes,
    webhooks,
  };
  await app.register(hoursRoutes, routes);
  await app.register(eventRoutes, routes);
  await app.register(ticketRoutes, routes);
  await app.register(oneTicketRoutes, routes);
  await app.register(eventWebhooks, routes);
};
