import DataLoader from 'dataloader';

/**
 * A look-up by id that gathers the ids asked for in one turn of the event loop and finds them with
 * one query. Nothing is cached: every answer is as fresh as a query of its own.
 */
export function batchById<Row extends { id: Id }, Id extends string | number = string>(
  find: (ids: readonly Id[]) => Promise<Row[]>,
): (id: Id) => Promise<Row | undefined> {
  const loader = new DataLoader<Id, Row | undefined>(
    async (ids) => {
      const rows = new Map<Id, Row>((await find(ids)).map((row) => [row.id, row]));
      return ids.map((id) => rows.get(id));
    },
    { cache: false, maxBatchSize: 256, batchScheduleFn: (run) => void setImmediate(run) },
  );
  // A UUID is the same one in capitals.
  return (id) => loader.load(typeof id === 'string' ? (id.toLowerCase() as Id) : id);
}
