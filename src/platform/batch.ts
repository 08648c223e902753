import DataLoader from 'dataloader';

/**
 * A look-up by id that gathers the ids asked for in one turn of the event loop and finds them with
 * one query. Nothing is cached: every answer is as fresh as a query of its own.
 */
export function batchById<Row extends { id: string }>(
  find: (ids: readonly string[]) => Promise<Row[]>,
): (id: string) => Promise<Row | undefined> {
  const loader = new DataLoader<string, Row | undefined>(
    async (ids) => {
      const rows = new Map((await find(ids)).map((row) => [row.id, row]));
      return ids.map((id) => rows.get(id));
    },
    { cache: false, maxBatchSize: 256, batchScheduleFn: (run) => void setImmediate(run) },
  );
  return (id) => loader.load(id.toLowerCase());
}
