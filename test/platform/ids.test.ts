import { describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';

describe('newId', () => {
  it('makes UUIDs of version 7 that rise, and say when they were made', () => {
    const before = Date.now();
    const ids = Array.from({ length: 20_000 }, newId);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
    const made = Number.parseInt((ids[0] ?? '').replaceAll('-', '').slice(0, 12), 16);
    expect(made).toBeGreaterThanOrEqual(before);
    expect(made).toBeLessThanOrEqual(Date.now());
  });

  it('draws 62 random bits for each', () => {
    const tails = Array.from({ length: 2000 }, () => newId().slice(-12));
    expect(new Set(tails).size).toBe(tails.length);
  });
});
