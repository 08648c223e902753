import type { FastifyInstance } from 'fastify';
import { notFound } from './problems.ts';
import { PROBLEM_TYPES, type ProblemSlug } from './problem-types.ts';

/** Where the `type` of a problem leads: what it means, and what to do. */
export function serveProblemPages(app: FastifyInstance, publicUrl: string): void {
  app.get<{ Params: { slug: string } }>('/problems/:slug', async (request, reply) => {
    const { slug } = request.params;
    if (!Object.hasOwn(PROBLEM_TYPES, slug)) throw notFound(`There is no problem type ${slug}.`);
    return reply
      .header('cache-control', 'public, max-age=3600')
      .send({ type: `${publicUrl}/problems/${slug}`, ...PROBLEM_TYPES[slug as ProblemSlug] });
  });
}
