/** Of sorted values. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
};

/**
 * Runs both contenders in each round, in an order that changes from round to round: what the machine
 * does meanwhile hits both alike, so the ratio of a round says more than either figure.
 */
export async function alternate<A, B>(
  rounds: number,
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<{ first: A; second: B }[]> {
  const results: { first: A; second: B }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) results.push({ first: await first(), second: await second() });
    else {
      const after = await second();
      results.push({ first: await first(), second: after });
    }
  }
  return results;
}

export const spread = (values: readonly number[]): string =>
  `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)} in ${values.length}`;

/** The median of the rounds' ratios, as a figure. */
export const ratios = (values: readonly number[]) => ({
  value: median(values),
  unit: '×',
  note: `rounds: ${values.map((value) => value.toFixed(2)).join(' ')}`,
});
