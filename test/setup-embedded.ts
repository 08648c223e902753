import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { fillTemplate, SCRATCH } from './template.ts';

let directory: string;

/** Makes the directory that every embedded test's own is copied from, once a run. */
export async function setup(project: TestProject): Promise<void> {
  directory = await mkdtemp(join(SCRATCH, 'quartet-template-'));
  await fillTemplate({ DATA_DIR: directory });
  project.provide('template', directory);
}

export const teardown = (): Promise<void> => rm(directory, { recursive: true });
