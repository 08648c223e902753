import type { FastifyPluginAsync } from 'fastify';
import { apiKeyVerifier } from '../platform/access/api-keys.ts';
import type { Database } from '../platform/database/database.ts';
import { describeService, type Documents } from '../platform/documents/documents.ts';
import { ProblemSchema } from '../platform/documents/problem-responses.ts';
import { requireAccepted } from '../platform/http/negotiation.ts';
import type { RateLimit } from '../platform/http/rate-limit.ts';
import { activityRoutes } from './activities.routes.ts';
import { Activity } from './activities.schemas.ts';
import { apiKeyAuth } from './api-key.ts';
import { badgeRoutes } from './definitions/badges.routes.ts';
import { Badge } from './definitions/badges.schemas.ts';
import { checklistRoutes } from './definitions/checklists.routes.ts';
import { Checklist } from './definitions/checklists.schemas.ts';
import { quizRoutes } from './definitions/quizzes.routes.ts';
import { Quiz, SharedChoices } from './definitions/quizzes.schemas.ts';
import { learningDocument } from './document.ts';
import { LEARNING_DETAILS, learningExamples } from './document-examples.ts';
import { rootRoutes } from './landing/root.routes.ts';
import { Root } from './landing/root.schemas.ts';
import { describeServer, type LandingConfig } from './landing/services.ts';
import { assignmentRoutes } from './results/assignments.routes.ts';
import { Assignment, AssignmentData } from './results/assignments.schemas.ts';
import { reportRoutes } from './results/reports.routes.ts';
import { SummaryReport } from './results/reports.schemas.ts';
import { scoreRoutes } from './results/scores.routes.ts';
import { Score } from './results/scores.schemas.ts';
import { userRoutes } from './results/users.routes.ts';
import { UserDetail, UserSummary } from './results/users.schemas.ts';

export interface LearningOptions {
  prefix: string;
  config: LandingConfig;
  database: Database;
  rateLimit: RateLimit;
  documents: Documents;
}

/** What the routes of the learning service are given. */
export interface LearningRoutes {
  database: Database;
  /** Origin of absolute links. */
  publicUrl: string;
  /** Origin and base path: what every path of this service stands behind. */
  baseUrl: string;
}

/** Shared schemas, by reference in the document. */
const SCHEMAS = [
  ProblemSchema,
  Root,
  Activity,
  SharedChoices,
  Quiz,
  Checklist,
  Badge,
  Score,
  AssignmentData,
  Assignment,
  UserDetail,
  UserSummary,
  SummaryReport,
];

/** Learning: activities in; scores, badges, progress and reports out. */
export const learning: FastifyPluginAsync<LearningOptions> = async (app, options) => {
  const { config, database, rateLimit, documents } = options;
  const { PUBLIC_URL, LEARNING_BASE_PATH, NODE_ENV } = config;
  const withDemo = NODE_ENV !== 'production';
  apiKeyAuth(app, apiKeyVerifier(database.reads, 'learning', withDemo), rateLimit);
  app.addHook('onRequest', async (request) => {
    if (!request.routeOptions.config.isOpen) requireAccepted(request);
  });
  await describeService(app, documents, 'learning', {
    publicUrl: PUBLIC_URL,
    openapi: learningDocument(PUBLIC_URL, LEARNING_BASE_PATH),
    examples: learningExamples(describeServer(config)),
    details: LEARNING_DETAILS,
  });
  for (const schema of SCHEMAS) app.addSchema(schema);

  const routes: LearningRoutes = {
    database,
    publicUrl: PUBLIC_URL,
    baseUrl: PUBLIC_URL + LEARNING_BASE_PATH,
  };
  await app.register(rootRoutes, { config });
  await app.register(activityRoutes, routes);
  await app.register(quizRoutes, routes);
  await app.register(scoreRoutes, routes);
  await app.register(userRoutes, routes);
  await app.register(reportRoutes, routes);
  await app.register(badgeRoutes, routes);
  await app.register(assignmentRoutes, routes);
  await app.register(checklistRoutes, routes);
};
