import type { Cluster } from './cluster.ts';
import { getToken } from './data.ts';
import type { Figure } from './figures.ts';
import { CONNECTIONS, type Load, load } from './load.ts';
import { cpuSeconds, type Server, startFloor } from './processes.ts';
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
  serverCpu: number;
  databaseCpu: number;
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
    const cpu = () => [cpuSeconds(server.pid), cpuSeconds(cluster.pid, { children: true })];
    const [server0 = 0, database0 = 0] = cpu();
    const url = server.url;
    const measured = await load({ url, seconds, status: 200, request: request(headers) });
    const [server1 = 0, database1 = 0] = cpu();
    const per = 1e6 / measured.answers;
    return {
      ...measured,
      serverCpu: (server1 - server0) * per,
      databaseCpu: (database1 - database0) * per,
    };
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
    const cpu = `CPU ms/1000: server ${of('serverCpu').toFixed(0)}, database ${of('databaseCpu').toFixed(0)}`;
    const note = `p50 ${of('p50').toFixed(2)} ms, p99 ${of('p99').toFixed(2)} ms; ${cpu}`;
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
