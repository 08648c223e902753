import type pg from 'pg';
import { digest, topicOf } from '../src/learning/names.ts';
import { newId } from '../src/platform/ids.ts';
import { type Cluster, connected } from './cluster.ts';
import type { Figure } from './figures.ts';
import { CONNECTIONS, type Load, load } from './load.ts';
import { cpuSeconds, type Server, startQuartet } from './processes.ts';
import { alternate, median, ratios } from './statistics.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
/** Every user does the same: 4 of the 10 quizzes, each of 5 questions, once. */
const EACH = 20;
const QUIZZES = 10;
const QUESTIONS = 5;
const BATCH = 50_000;
const WARM_UP_SECONDS = 5;
const HEADERS = { 'imf-key': 'demo-imf-key' };

const quizName = (number: number) => `Quiz ${number}`;
const question = (number: number) => `Question ${number}?`;
const userName = (number: number) => `user${number}`;

/** Defines the quizzes over HTTP, as a course does. */
async function defineQuizzes(url: string): Promise<void> {
  for (let number = 0; number < QUIZZES; number += 1) {
    const questions = Array.from({ length: QUESTIONS }, (_, index) => ({
      type: 'blank',
      question: question(index),
      correctAnswer: 'yes',
    }));
    const answer = await fetch(`${url}/quizzes`, {
      method: 'POST',
      headers: { ...HEADERS, 'content-type': 'application/json' },
      body: JSON.stringify({ name: quizName(number), questions }),
    });
    if (answer.status !== 201) throw new Error(await answer.text());
  }
}

/** Adds `activities` answers; what follows from them follows by the trigger, as it always does. */
async function fill(client: pg.Client, activities: number): Promise<void> {
  const quizzes = Array.from({ length: QUIZZES }, (_, number) => quizName(number));
  const questions = Array.from({ length: QUESTIONS }, (_, number) => question(number));
  for (let from = 0; from < activities; from += BATCH)
    await client.query(
      `insert into learning.activities (id, user_id, type, name, item, answer, domain, path,
                                        occurred_at, topic, item_digest, answer_digest)
       select platform.uuid_v7(), 'user' || n / $3, 'quiz', quiz.name, item.text, 'yes',
              'https://learn.example.com', '/quiz', '2026-01-01T00:00:00Z'::timestamptz
                + n * interval '10 seconds', quiz.topic, item.digest, $4
       from generate_series($1::int, $2::int - 1) n
       join unnest($5::text[], $6::uuid[]) with ordinality quiz (name, topic, at)
         on quiz.at = 1 + (n / $7 * 7) % $8
       join unnest($9::text[], $10::uuid[]) with ordinality item (text, digest, at)
         on item.at = 1 + n % $7`,
      [
        from,
        Math.min(from + BATCH, activities),
        EACH,
        digest('yes'),
        quizzes,
        quizzes.map((name) => topicOf('quiz', name)),
        QUESTIONS,
        QUIZZES,
        questions,
        questions.map((text) => digest(text)),
      ],
    );
  await client.query('vacuum (analyze)');
}

interface Filled extends AsyncDisposable {
  server: Server;
  users: number;
  fillSeconds: number;
}

async function start(cluster: Cluster, activities: number): Promise<Filled> {
  const database = `learning_${activities}`;
  await connected(cluster.url('postgres'), (client) => client.query(`create database ${database}`));
  const env = { DATABASE_URL: cluster.url(database), TIMETABLE_DAYS: '1' };
  const server = await startQuartet(env);
  await defineQuizzes(server.url);
  const begin = performance.now();
  await connected(env.DATABASE_URL, (client) => fill(client, activities));
  const fillSeconds = (performance.now() - begin) / 1000;
  return {
    server,
    users: activities / EACH,
    fillSeconds,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

const anyone = (users: number) => userName(Math.floor(Math.random() * users));

interface Turn extends Load {
  /** CPU of server and database for a thousand requests, in milliseconds. */
  cpu: number;
}

interface CompareOptions {
  cluster: Cluster;
  rounds: number;
  /** Of each turn. */
  seconds: number;
}

/** One operation at both sizes, in turns; what it costs more at the larger one. */
async function compare(
  name: string,
  [small, large]: [Filled, Filled],
  { cluster, rounds, seconds }: CompareOptions,
  operate: (filled: Filled, seconds: number) => Promise<Load>,
): Promise<Figure[]> {
  const run = async (filled: Filled, length: number): Promise<Turn> => {
    const cpu = () => cpuSeconds(filled.server.pid) + cpuSeconds(cluster.pid, { children: true });
    const before = cpu();
    const measured = await operate(filled, length);
    return { ...measured, cpu: ((cpu() - before) * 1e6) / measured.answers };
  };
  await run(small, WARM_UP_SECONDS);
  await run(large, WARM_UP_SECONDS);
  const results = await alternate(
    rounds,
    () => run(small, seconds),
    () => run(large, seconds),
  );
  const figure = (label: string, turns: Turn[]): Figure => {
    const of = (key: keyof Turn) => median(turns.map((each) => each[key]));
    const note = `p50 ${of('p50').toFixed(2)} ms, p99 ${of('p99').toFixed(2)} ms; CPU ms/1000: ${of('cpu').toFixed(0)}`;
    return { name: `  ${label}`, value: of('perSecond'), unit: 'requests/s', note };
  };
  return [
    {
      name: `${name}, time at ${LARGE} : ${SMALL} activities`,
      ...ratios(results.map(({ first, second }) => first.perSecond / second.perSecond)),
      target: { atMost: 1.5 },
    },
    {
      // On a machine that does other things too, the fairer one.
      name: '  the same, CPU time',
      ...ratios(results.map(({ first, second }) => second.cpu / first.cpu)),
      target: { atMost: 1.5 },
    },
    figure(
      `${SMALL} activities, ${CONNECTIONS} connections`,
      results.map(({ first }) => first),
    ),
    figure(
      `${LARGE} activities`,
      results.map(({ second }) => second),
    ),
  ];
}

/** How scores, a user's report and recording fare as the stream grows a hundredfold. */
export async function benchScores(options: CompareOptions): Promise<Figure[]> {
  const { cluster } = options;
  await using small = await start(cluster, SMALL);
  await using large = await start(cluster, LARGE);
  const both: [Filled, Filled] = [small, large];

  const scores = ({ server: { url }, users }: Filled, length: number) =>
    load({
      url,
      seconds: length,
      status: 200,
      request: () => {
        const user = anyone(users);
        const isRight = (answer: unknown) =>
          Array.isArray(answer) &&
          answer.length === EACH / QUESTIONS &&
          answer.every((each) => each.user === user && each.score === 1);
        return { method: 'GET', path: `/scores?user=${user}`, headers: HEADERS, isRight };
      },
    });
  const detail = ({ server: { url }, users }: Filled, length: number) =>
    load({
      url,
      seconds: length,
      status: 200,
      request: () => {
        const user = anyone(users);
        const isRight = ({ id, activity }: Record<string, unknown>) =>
          id === `usr_${user}` && Array.isArray(activity) && activity.length === 10;
        return { method: 'GET', path: `/users/${user}`, headers: HEADERS, isRight };
      },
    });
  const record = ({ server: { url }, users }: Filled, length: number) =>
    load({
      url,
      seconds: length,
      status: 204,
      request: () => {
        const item = question(Math.floor(Math.random() * QUESTIONS));
        const name = quizName(Math.floor(Math.random() * QUIZZES));
        // Users apart from those that are read: the stream of each stays as long as it was.
        const metadata = { user: `new ${newId().slice(-3)} ${anyone(users)}` };
        const body = JSON.stringify({ data: { type: 'quiz', name, item, answer: 'no' }, metadata });
        const headers = { ...HEADERS, 'content-type': 'application/json' };
        return { method: 'POST', path: '/activities', headers, body, isRight: () => true };
      },
    });

  return [
    ...(await compare('GET /scores?user=', both, options, scores)),
    ...(await compare('GET /users/{id}', both, options, detail)),
    ...(await compare('POST /activities', both, options, record)),
    {
      name: `Deriving attempts from ${LARGE} activities, in bulk`,
      value: LARGE / large.fillSeconds,
      unit: 'activities/s',
    },
  ];
}
