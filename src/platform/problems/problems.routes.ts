import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendTagged } from '../http/etag.ts';
import { JSON_TYPE } from '../formats/media-types.ts';
import { negotiate } from '../http/negotiation.ts';
import { type Page, sendPage } from '../pages/layout.ts';
import { notFound } from './problems.ts';
import { PROBLEM_TYPES, type ProblemSlug } from './problem-types.ts';
import { problemPage, problemsPage } from './problems.view.ts';

/** The first is what a client gets that does not say; who asks for problems means JSON. */
const TYPES = [JSON_TYPE, 'text/html', 'application/problem+json'] as const;
const CACHE = 'public, max-age=3600';

/** Where the `type` of a problem leads: what it means and what to do, for people and programs. */
export function serveProblemPages(app: FastifyInstance, publicUrl: string): void {
  const describe = (slug: ProblemSlug) => ({
    type: `${publicUrl}/problems/${slug}`,
    ...PROBLEM_TYPES[slug],
  });
  const send = (request: FastifyRequest, reply: FastifyReply, page: () => Page, value: object) => {
    if (negotiate(request, reply, TYPES) === 'text/html')
      return sendPage(reply, page(), { cache: CACHE });
    return sendTagged(request, reply.header('cache-control', CACHE), value);
  };

  app.get('/problems', async (request, reply) => {
    const data = Object.keys(PROBLEM_TYPES).map((slug) => describe(slug as ProblemSlug));
    return send(request, reply, problemsPage, { data });
  });
  app.get<{ Params: { slug: string } }>('/problems/:slug', async (request, reply) => {
    const { slug } = request.params;
    if (!Object.hasOwn(PROBLEM_TYPES, slug))
      throw notFound(`There is no problem type ${slug}; /problems lists all there are.`);
    const known = slug as ProblemSlug;
    return send(request, reply, () => problemPage(known, publicUrl), describe(known));
  });
}
