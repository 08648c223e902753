import type { TestProject } from 'vitest/node';
import { fillTemplate, onServer, serverUrl } from './template.ts';

const name = `quartet_template_${process.pid}`;

/** Makes the database that every PostgreSQL test's own is copied from, once a run. */
export async function setup(project: TestProject): Promise<void> {
  await onServer(`create database ${name}`);
  await fillTemplate({ DATABASE_URL: serverUrl(name) });
  project.provide('template', name);
}

export const teardown = (): Promise<void> => onServer(`drop database ${name} with (force)`);
