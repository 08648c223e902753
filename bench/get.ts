import type { Cluster } from './cluster.ts';
import { getToken } from './data.ts';
import type { Figure } from './figures.ts';
import { CONNECTIONS, type Load, load } from './load.ts';
import { cpuSeconds, machineCpuSeconds, type Server, startFloor } from './processes.ts';
import { alternate, median, ratios } from './statistics.ts';

export interface Options {
  cluster: Cluster;
  databaseUrl: string;
  quartet: Server;
  /** Ids of bookings that the demo client may read. */
  ids: readonly string[];
  rounds: number;
  /** Of each turn. */
  seconds: number;
}

interface Turn extends Load {
  /** CPU for a thousand requests, in milliseconds. */
  server: number;
  database: number;
  load: number;
  /** What other programs took meanwhile. */
  others: number;
}

const WARM_UP_SECONDS = 3;

/** GET /bookings/{id} of Quartet, with everything on, against the naive floor. */
export async function benchGet(options: Options): Promise<Figure[]> {
  const { cluster, databaseUrl, quartet, ids, rounds } = options;
  const floor = await startFloor(databaseUrl);
  const token = await getToken(quartet.url);

  const request = (headers: Record<string, string>) => () => {
    const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
    const isRight = (answer: Record<string, unknown>) => answer['id'] === id;
    return { method: 'GET' as const, path: `/bookings/${id}`, headers, isRight };
  };
  const turn = async (server: Server, headers: Record<string, string>, seconds: number) => {
    const cpu = () => [
      machineCpuSeconds(),
      cpuSeconds(server.pid),
      cpuSeconds(cluster.pid, { children: true }),
      cpuSeconds(process.pid),
    ];
    const before = cpu();
    const url = server.url;
    const measured = await load({ url, seconds, status: 200, request: request(headers) });
    const [all = 0, ...ours] = cpu().map(
      (used, index) => ((used - (before[index] ?? 0)) * 1e6) / measured.answers,
    );
    const [own = 0, database = 0, generator = 0] = ours;
    const others = all - own - database - generator;
    return { ...measured, server: own, database, load: generator, others };
  };
  const quartetTurn = (seconds: number) =>
    turn(quartet, { authorization: `Bearer ${token}` }, seconds);
  const floorTurn = (seconds: number) => turn(floor, {}, seconds);

  await quartetTurn(WARM_UP_SECONDS);
  await floorTurn(WARM_UP_SECONDS);
  const results = await alternate(
    rounds,
    () => quartetTurn(options.seconds),
    () => floorTurn(options.seconds),
  );
  await floor.stop();

  const describe = (name: string, turns: Turn[]): Figure[] => {
    const of = (key: keyof Turn) => median(turns.map((each) => each[key]));
    const cpu = (['server', 'database', 'load', 'others'] as const)
      .map((key) => `${key} ${of(key).toFixed(0)}`)
      .join(', ');
    const note = `p50 ${of('p50').toFixed(2)} ms, p99 ${of('p99').toFixed(2)} ms; CPU ms/1000: ${cpu}`;
    return [{ name, value: of('perSecond'), unit: 'requests/s', note }];
  };
  return [
    {
      name: 'GET /bookings/{id}, Quartet : floor',
      ...ratios(results.map(({ first, second }) => first.perSecond / second.perSecond)),
      target: { atLeast: 1 },
    },
    ...describe(
      `  Quartet, ${CONNECTIONS} connections`,
      results.map(({ first }) => first),
    ),
    ...describe(
      '  floor: node:http and pg',
      results.map(({ second }) => second),
    ),
  ];
}
