import { vi } from 'vitest';
import type { TestApp } from '../harness.ts';

/** Starts the dispatcher without its polls: what it does then, it does because it was woken. */
export async function startWithoutPolls({ quartet }: TestApp): Promise<void> {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  try {
    await quartet.webhooks.start();
  } finally {
    vi.useRealTimers();
  }
}
