import type { FastifyInstance } from 'fastify';
import { type CompressedText, compressedText, sendCompressed } from '../http/compression.ts';
import { type Documents, documentText } from './documents.ts';
import { notFound } from '../problems/problems.ts';

/** Serves each document as /openapi/{name}.json and .yaml; made once, when first asked for. */
export function serveDocuments(app: FastifyInstance, documents: Documents): void {
  const made = new Map<string, CompressedText>();
  app.get<{ Params: { file: string } }>('/openapi/:file', async (request, reply) => {
    const [, name = '', format] = /^(\w+)\.(json|yaml)$/.exec(request.params.file) ?? [];
    const document = documents.get(name);
    if (!document) throw notFound(`There is no document ${request.params.file}.`);
    const isYaml = format === 'yaml';
    const key = `${name}.${format}`;
    const file =
      made.get(key) ??
      compressedText(
        isYaml ? 'application/yaml' : 'application/json; charset=utf-8',
        documentText(document, isYaml),
      );
    made.set(key, file);
    reply.header('cache-control', 'public, max-age=300');
    return sendCompressed(request, reply, file);
  });
}
