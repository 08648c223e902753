import { spawnSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { buildDocuments } from '../../src/openapi.ts';
import { ENGINE } from '../harness.ts';

// Made at every run, of the documents as the code makes them: nothing generated is checked in, so
// nothing can be stale, and the journeys are held to the code itself. That costs a few seconds; an
// editor knows the types from the first run on.
// The generator needs the JavaScript API that TypeScript 7 has not: the package `typescript` is
// version 6, and `tsc` is version 7 of the package `@typescript/native`.
const DIRECTORY = path.join(import.meta.dirname, 'generated');

const BLOB = ts.factory.createTypeReferenceNode('Blob');

/** The types of a document, in TypeScript. */
async function typesOf(document: string): Promise<string> {
  const nodes = await openapiTS(document, {
    // A client neither sends what is read-only nor reads what is write-only.
    readWriteMarkers: true,
    // Else a request would have to have what it can leave to a default.
    defaultNonNullable: false,
    transform: ({ format }) => (format === 'binary' ? BLOB : undefined),
  });
  return astToString(nodes);
}

// The types are the same whatever the database is.
describe.runIf(ENGINE === 'embedded')('the types of each document', () => {
  it('let every journey through, and nothing that a journey expects to be an error', async () => {
    await mkdir(DIRECTORY, { recursive: true });
    const made: string[] = [];
    for (const [file, document] of await buildDocuments()) {
      if (!file.endsWith('.json')) continue;
      const types = path.join(DIRECTORY, file.replace('.json', '.ts'));
      await writeFile(types, await typesOf(document));
      made.push(types);
    }
    expect(made).toHaveLength(4);

    const { status, stdout } = spawnSync(
      'node_modules/.bin/tsc',
      ['--project', import.meta.dirname, '--listFiles', '--pretty', 'false'],
      { encoding: 'utf8' },
    );
    const lines = stdout.split('\n');
    expect(lines.filter((line) => !path.isAbsolute(line)).join('\n')).toBe('');
    expect(status).toBe(0);
    // It has looked at all of them.
    const journeys = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.ts'));
    expect(lines).toEqual(
      expect.arrayContaining([
        ...made,
        ...journeys.map((file) => path.join(import.meta.dirname, file)),
      ]),
    );
  });
});
