import { connected } from './cluster.ts';
import { getToken, subjectOf, TRIPS, tripId } from './data.ts';
import type { Figure } from './figures.ts';
import type { Options } from './get.ts';
import { CONNECTIONS, load } from './load.ts';
import { preparePgbench } from './pgbench.ts';
import { alternate, median, ratios } from './statistics.ts';

/** Until V8 has compiled what is hot; shorter, and the first rounds measure the compiler. */
const WARM_UP_SECONDS = 10;
const WANTED = { passenger_name: 'John Doe', has_bicycle: false, has_dog: false };

/** POST /bookings over HTTP against pgbench that runs the very statement of it. */
export async function benchPost(options: Options): Promise<Figure[]> {
  const { cluster, databaseUrl, quartet, rounds, seconds } = options;
  const token = await getToken(quartet.url);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const pgbench = await preparePgbench(cluster, new URL(databaseUrl).pathname.slice(1), WANTED, {
    subject: subjectOf(token),
    holdSeconds: 3600,
    bookingsUrl: `${quartet.url}/bookings`,
  });

  const request = () => {
    const trip_id = tripId(1 + Math.floor(Math.random() * TRIPS));
    const body = JSON.stringify({ trip_id, ...WANTED });
    const isRight = (answer: Record<string, unknown>) =>
      answer['trip_id'] === trip_id && answer['status'] === 'held';
    return { method: 'POST' as const, path: '/bookings', headers, body, isRight };
  };
  const count = () =>
    connected(databaseUrl, async (client) => {
      const { rows } = await client.query<{ seats: string; bookings: string }>(
        `select (select sum(capacity - seats_left) from train.trips) as seats,
                (select count(*) from train.bookings where status <> 'expired') as bookings`,
      );
      return { seats: Number(rows[0]?.seats), bookings: Number(rows[0]?.bookings) };
    });
  const checkpoint = () => connected(databaseUrl, (client) => client.query('checkpoint'));

  const quartetTurn = async (length: number) => {
    await checkpoint();
    const before = await count();
    const measured = await load({ url: quartet.url, seconds: length, status: 201, request });
    const after = await count();
    // What was in flight at the end may have been booked without being answered.
    const made = after.bookings - before.bookings;
    const isWhole = made >= measured.answers && made <= measured.answers + CONNECTIONS;
    if (!isWhole || after.seats !== after.bookings)
      throw new Error(
        `${measured.answers} answers made ${made} bookings; ${after.bookings} hold ${after.seats} seats.`,
      );
    return measured;
  };
  const pgbenchTurn = async (length: number) => {
    await checkpoint();
    return pgbench.run(length);
  };

  await quartetTurn(WARM_UP_SECONDS);
  await pgbenchTurn(WARM_UP_SECONDS);
  const results = await alternate(
    rounds,
    () => quartetTurn(seconds),
    () => pgbenchTurn(seconds),
  );

  const of = (key: 'perSecond' | 'p50' | 'p99') => median(results.map(({ first }) => first[key]));
  return [
    {
      name: 'POST /bookings, Quartet : pgbench',
      ...ratios(results.map(({ first, second }) => first.perSecond / second)),
      target: { atLeast: 0.5 },
    },
    {
      name: `  Quartet, ${CONNECTIONS} connections`,
      value: of('perSecond'),
      unit: 'bookings/s',
      note: `p50 ${of('p50').toFixed(2)} ms, p99 ${of('p99').toFixed(2)} ms`,
    },
    {
      name: `  pgbench -M prepared, ${CONNECTIONS} clients`,
      value: median(results.map(({ second }) => second)),
      unit: 'bookings/s',
    },
  ];
}
