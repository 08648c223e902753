import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import './cleanup.ts';
import { type Cluster, connected, startCluster } from './cluster.ts';
import { benchCrash } from './crash.ts';
import { fill, getToken, subjectOf } from './data.ts';
import { type Figure, printTable, toJson } from './figures.ts';
import { benchGet } from './get.ts';
import { benchPass } from './pass.ts';
import { benchPost } from './post.ts';
import { benchScores } from './scores.ts';
import { startQuartet } from './processes.ts';
import { benchStart } from './start.ts';
import { benchWebhooks } from './webhooks.ts';
import { benchXml } from './xml.ts';

const USAGE = `npm run bench -- [get] [post] [webhooks] [start] [scores] [pass] [xml] [crash]
                 [--rounds 5] [--seconds 6] [--json FILE]

Measures Quartet on a PostgreSQL of its own, which it makes and removes. Linux only.
Without a name it measures everything but crash, which takes half an hour.`;

/** What needs a server with data in its database, and what needs a database. */
const SERVED = ['get', 'post', 'webhooks', 'start'];
const STORED = [...SERVED, 'scores'];
const NAMES = [...STORED, 'pass', 'xml', 'crash'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '6' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
if (values.help || !(rounds >= 1 && seconds >= 1) || positionals.some((n) => !NAMES.includes(n))) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 2);
}
const isWanted = (name: string) => positionals.length === 0 || positionals.includes(name);

const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), node ${process.version}`;
console.log(machine);
const figures: Figure[] = [];
let database: string | undefined;

/** Bookings, webhooks and starts, on one database. */
async function benchServer(cluster: Cluster): Promise<void> {
  await connected(cluster.url('postgres'), (client) => client.query('create database quartet'));
  const databaseUrl = cluster.url('quartet');
  // Also makes the database that the starts are measured on.
  const quartet = await startQuartet({ DATABASE_URL: databaseUrl });
  const subject = subjectOf(await getToken(quartet.url));
  const ids = await connected(databaseUrl, (client) => fill(client, subject));

  const options = { cluster, databaseUrl, quartet, ids, rounds, seconds };
  if (isWanted('get')) figures.push(...(await benchGet(options)));
  if (isWanted('post')) figures.push(...(await benchPost(options)));
  if (isWanted('webhooks')) figures.push(...(await benchWebhooks(options)));
  await quartet.stop();
  if (isWanted('start')) figures.push(...(await benchStart(cluster, databaseUrl)));
}

if (STORED.some(isWanted) || positionals.includes('crash')) {
  const cluster = await startCluster();
  database = cluster.about;
  console.log(database);
  if (SERVED.some(isWanted)) await benchServer(cluster);
  if (isWanted('scores')) figures.push(...(await benchScores({ cluster, rounds, seconds })));
  if (positionals.includes('crash')) figures.push(...(await benchCrash(cluster)));
}
if (isWanted('pass')) figures.push(...(await benchPass(rounds)));
if (isWanted('xml')) figures.push(...(await benchXml({ rounds })));

console.log();
printTable(figures);
if (values.json !== undefined) {
  const report = { machine, database, figures: toJson(figures) };
  writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
}
process.exit();
