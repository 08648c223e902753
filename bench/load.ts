import autocannon from 'autocannon';
import { quantile } from './statistics.ts';

export const CONNECTIONS = 32;
/** One answer in so many is read and checked; each is counted by its status. */
const CHECKED = 16;

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Whether the answer's body is the right one. */
  isRight: (answer: Record<string, unknown>) => boolean;
}

export interface Load {
  answers: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

export interface LoadOptions {
  url: string;
  seconds: number;
  /** What every answer must have. */
  status: number;
  /** The next request; each connection is given a few hundred, which it repeats. */
  request: () => Request;
}

/** Requests of a connection; made beforehand, so that the load costs the same for every server. */
const PREPARED = 1000;

/** Keeps `CONNECTIONS` requests in flight. Throws unless every answer is as it must be. */
export async function load({ url, seconds, status, request }: LoadOptions): Promise<Load> {
  const times: number[] = [];
  let wrong = 0;
  let checked = 0;
  const prepare = (): autocannon.Request[] =>
    Array.from({ length: PREPARED }, (_, index) => {
      const { isRight, ...rest } = request();
      if (index % CHECKED > 0) return rest;
      return {
        ...rest,
        onResponse: (_status, body) => {
          checked += 1;
          if (!isRight(JSON.parse(body || 'null') as Record<string, unknown>)) wrong += 1;
        },
      };
    });

  let begin = 0;
  let end = 0;
  const run = autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient: (client) => client.setRequests(prepare()),
  });
  run.on('response', (_client, _status: number, _bytes: number, milliseconds: number) => {
    end = performance.now();
    if (begin === 0) begin = end;
    times.push(milliseconds);
  });
  const { errors, statusCodeStats } = await run;

  const others = Object.keys(statusCodeStats).filter((each) => Number(each) !== status);
  if (errors > 0 || wrong > 0 || checked === 0 || others.length > 0)
    throw new Error(
      `${url}: ${errors} errors, ${wrong} of ${checked} checked answers wrong, statuses ${JSON.stringify(statusCodeStats)}`,
    );
  times.sort((a, b) => a - b);
  return {
    answers: times.length,
    perSecond: (times.length * 1000) / (end - begin),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  };
}
