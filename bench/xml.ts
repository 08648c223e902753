import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { jsonReader } from '../src/platform/formats/json-reader.ts';
import { speakFormats } from '../src/platform/formats/index.ts';
import { XML } from '../src/platform/formats/media-types.ts';
import { createHttp } from '../src/platform/http/http.ts';
import { createLog } from '../src/platform/operations/log.ts';
import { createRateLimit } from '../src/platform/http/rate-limit.ts';
import { Category, Pet, Tag } from '../src/petstore/pets.schemas.ts';
import type { Figure } from './figures.ts';
import { median, quantile, ratios } from './statistics.ts';

const PET: Pet = {
  id: 10,
  name: 'doggie',
  category: { id: 1, name: 'Dogs' },
  photoUrls: ['https://example.com/a.png', 'https://example.com/b.png'],
  tags: [
    { id: 1, name: 'tag1' },
    { id: 2, name: 'tag2' },
  ],
  status: 'available',
};
/** A turn is so short that most are not interrupted, whatever else the machine does. */
const CALLS_A_TURN = 50;
const TURNS = 5000;
const WARM_UP_TURNS = 1000;

/** What the server itself does with this pet: read and validate a body, and write an answer. */
async function codecs() {
  const rateLimit = createRateLimit({ RATE_LIMIT_MAX: 0, RATE_LIMIT_WINDOW: 60 });
  const http = { PUBLIC_URL: 'http://127.0.0.1', BODY_LIMIT: 65_536 };
  const { app } = await createHttp(http, createLog('silent'), rateLimit);
  let caught: { request: FastifyRequest; reply: FastifyReply } | undefined;
  await app.register(async (plugin) => {
    speakFormats(plugin);
    for (const schema of [Category, Tag, Pet]) plugin.addSchema(schema);
    const schema = { body: Type.Ref('Pet'), response: { 200: Type.Ref('Pet') } };
    plugin.post('/', { schema }, async (request, reply) => {
      caught = { request, reply };
      return request.body;
    });
  });
  await app.inject({ method: 'POST', url: '/', payload: PET });
  if (!caught) throw new Error('The pet was not taken.');
  const { request, reply } = caught;
  const { readers, writers } = request.routeOptions.config.formats ?? {};
  const readXml = readers?.get(XML);
  const writeXml = writers?.get('200');
  const writeJson = reply.getSerializationFunction('200');
  const validate = request.getValidationFunction('body');
  if (!readXml || !writeXml || !writeJson || !validate) throw new Error('A codec is missing.');
  const readJson = jsonReader(app);
  return {
    json: { read: readJson, write: (pet: Pet) => writeJson({ ...pet }) as string },
    xml: { read: readXml, write: (pet: Pet) => writeXml({ ...pet }) },
    validate: validate as (value: unknown) => unknown,
  };
}

/** Microseconds a call. */
function turn(call: () => unknown): number {
  const begin = performance.now();
  for (let index = 0; index < CALLS_A_TURN; index += 1) call();
  return ((performance.now() - begin) / CALLS_A_TURN) * 1000;
}

const quick = (times: number[]) =>
  quantile(
    times.toSorted((a, b) => a - b),
    0.25,
  );

/** What both take when they are not interrupted, measured in turns. */
function compare(json: () => unknown, xml: () => unknown, turns: number) {
  const times = { json: [] as number[], xml: [] as number[] };
  for (let index = 0; index < turns; index += 1) {
    times.json.push(turn(json));
    times.xml.push(turn(xml));
  }
  return { json: quick(times.json), xml: quick(times.xml) };
}

/** What a pet in XML costs beside the same pet in JSON, without the HTTP around it. */
export async function benchXml({ rounds }: { rounds: number }): Promise<Figure[]> {
  const { json, xml, validate } = await codecs();
  const bodies = { json: Buffer.from(json.write(PET)), xml: Buffer.from(xml.write(PET)) };
  if (JSON.stringify(xml.read(bodies.xml)) !== JSON.stringify(json.read(bodies.json)))
    throw new Error('The formats do not hold the same pet.');
  const tasks = {
    'write a pet': [() => json.write(PET), () => xml.write(PET)],
    'read a pet': [() => json.read(bodies.json), () => xml.read(bodies.xml)],
    'read and validate a pet': [
      () => validate(json.read(bodies.json)),
      () => validate(xml.read(bodies.xml)),
    ],
    'write, read and validate a pet': [
      () => validate(json.read(Buffer.from(json.write(PET)))),
      () => validate(xml.read(Buffer.from(xml.write(PET)))),
    ],
  } as const;

  for (const [inJson, inXml] of Object.values(tasks)) compare(inJson, inXml, WARM_UP_TURNS);
  return Object.entries(tasks).map(([name, [inJson, inXml]]) => {
    const results = Array.from({ length: rounds }, () => compare(inJson, inXml, TURNS / rounds));
    const { note, ...ratio } = ratios(results.map((result) => result.xml / result.json));
    const microseconds = (format: 'json' | 'xml') =>
      median(results.map((result) => result[format])).toFixed(2);
    return {
      name: `${name}, XML : JSON`,
      ...ratio,
      target: { atMost: 2 },
      note: `${microseconds('xml')} : ${microseconds('json')} µs; ${note}`,
    };
  });
}
