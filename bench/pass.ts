import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { PKPass } from 'passkit-generator';
import { loadConfig } from '../src/config.ts';
import { ticketDesign } from '../src/museum/ticket-pass.ts';
import type { Db } from '../src/platform/database/database.ts';
import { createLog } from '../src/platform/operations/log.ts';
import { makeCertificate } from '../src/platform/passes/development.ts';
import { openPasses, type PassState } from '../src/platform/passes/passes.ts';
import type { Figure } from './figures.ts';
import { alternate, median, ratios, spread } from './statistics.ts';

const OURS_A_ROUND = 200;
const THEIRS_A_ROUND = 10;
/** Passes that are under way at the same time where the event loop is watched. */
const AT_ONCE = 50;

const state = (number: number): PassState => ({
  serialNumber: `bench-${number}`,
  lastModified: new Date('2030-01-02T03:04:05Z'),
  voided: false,
  description: 'TICKET_DESCRIPTION',
  barcode: { message: `bench-${number}` },
  relevantDate: '2030-06-01T10:00:00+02:00',
  style: {
    eventTicket: {
      primaryFields: [{ key: 'name', label: 'LABEL_EVENT', value: 'Mermaid treasures' }],
      secondaryFields: [{ key: 'date', label: 'LABEL_DATE', value: '2030-06-01' }],
    },
  },
});

/** Milliseconds that one run of `make` takes, of `count`. */
async function timeOf(count: number, make: (number: number) => unknown): Promise<number> {
  const start = performance.now();
  for (let number = 0; number < count; number += 1) await make(number);
  return (performance.now() - start) / count;
}

/** Milliseconds that the event loop was late at most while passes were made at the same time. */
async function longestDelay(make: (number: number) => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const made: Promise<unknown>[] = [];
  for (let number = 0; number < AT_ONCE; number += 1) {
    // As requests come: each in a turn of its own.
    await setImmediate();
    made.push(make(number));
  }
  await Promise.all(made);
  delay.disable();
  return delay.max / 1e6;
}

/** What a wallet pass of the museum costs, beside what passkit-generator takes for the same one. */
export async function benchPass(rounds: number): Promise<Figure[]> {
  const { certificate, private_key, issuer } = await makeCertificate();
  const config = loadConfig({
    PASS_CERT: certificate,
    PASS_KEY: private_key,
    PASS_WWDR: issuer,
  });
  const passes = await openPasses({ config, db: {} as Db, log: createLog('silent') });
  const ours = (number: number) => passes.pass(ticketDesign, state(number)).build();

  const files = Object.fromEntries(
    ticketDesign.files.map(({ name, bytes }) => [name, Buffer.from(bytes)]),
  );
  const keys = { wwdr: issuer, signerCert: certificate, signerKey: private_key };
  const theirs = (number: number) => {
    const { serialNumber, description, relevantDate, style } = state(number);
    const json = {
      formatVersion: 1,
      passTypeIdentifier: 'pass.quartet.development',
      teamIdentifier: 'QUARTETDEV',
      ...ticketDesign.members,
      ...{ serialNumber, description, relevantDate, ...style },
    };
    const pass = new PKPass({ ...files, 'pass.json': Buffer.from(JSON.stringify(json)) }, keys);
    pass.setBarcodes(serialNumber);
    return pass.getAsBuffer();
  };

  await timeOf(OURS_A_ROUND, ours);
  await timeOf(THEIRS_A_ROUND, theirs);
  const times = await alternate(
    rounds,
    () => timeOf(OURS_A_ROUND, ours),
    () => timeOf(THEIRS_A_ROUND, theirs),
  );

  const before = process.threadCpuUsage();
  await timeOf(OURS_A_ROUND, ours);
  const { user, system } = process.threadCpuUsage(before);

  const delays: number[] = [];
  for (let round = 0; round < 10; round += 1) delays.push(await longestDelay(ours));

  return [
    {
      name: 'Wallet pass',
      value: median(times.map(({ first }) => first)),
      unit: 'ms',
      note: `of ${(await ours(0)).length >> 10} KiB, one after the other`,
    },
    {
      name: 'Wallet pass, of that on the event loop',
      value: (user + system) / 1000 / OURS_A_ROUND,
      unit: 'ms',
      note: 'processor time; what else the machine does is not in it',
      target: { atMost: 20 },
    },
    {
      name: 'passkit-generator, the same pass',
      value: median(times.map(({ second }) => second)),
      unit: 'ms',
    },
    {
      name: 'passkit-generator / wallet pass',
      ...ratios(times.map(({ first, second }) => second / first)),
      target: { atLeast: 10 },
    },
    {
      name: `Longest event loop delay, ${AT_ONCE} passes at once`,
      value: median(delays),
      unit: 'ms',
      note: spread(delays),
      target: { atMost: 20 },
    },
  ];
}
