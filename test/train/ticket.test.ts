import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jsqr from 'jsqr';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { EXAMPLE_TRIP, PAYMENT } from '../given.ts';
import { sharedApp } from '../harness.ts';
import { jsonOf, opensslAccepts, readPass } from '../platform/passes/pass-file.ts';

// Published for CommonJS only.
const decode = jsqr as unknown as typeof jsqr.default;
const PASS = 'application/vnd.apple.pkpass';
const t = await sharedApp();
const alice = await t.as('alice');

interface Wanted {
  trip_id?: string;
  passenger_name?: string;
  has_bicycle?: boolean;
  has_dog?: boolean;
}

/** Books, and answers the booking's id. */
async function held(wanted: Wanted = {}): Promise<string> {
  const answer = await t.inject({
    method: 'POST',
    url: '/bookings',
    headers: alice,
    payload: { trip_id: await t.given.trip(), passenger_name: 'John Doe', ...wanted },
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json().id;
}

async function confirmed(wanted: Wanted = {}, amount = PAYMENT.amount): Promise<string> {
  const id = await held(wanted);
  const url = `/bookings/${id}/payment`;
  const payload = { ...PAYMENT, amount };
  const answer = await t.inject({ method: 'POST', url, headers: alice, payload });
  expect(answer.json().status).toBe('succeeded');
  return id;
}

const ticket = (id: string, headers: Record<string, string> = {}) =>
  t.inject({ url: `/bookings/${id}/ticket`, headers: { ...alice, ...headers } });

/** What poppler, which knows nothing of us, makes of a PDF. */
function read(pdf: Buffer) {
  const directory = mkdtempSync(join(tmpdir(), 'quartet-ticket-'));
  try {
    writeFileSync(join(directory, 'ticket.pdf'), pdf);
    const run = (command: string, ...args: string[]) =>
      execFileSync(command, args, { cwd: directory, maxBuffer: 1 << 26 });
    const image = run('pdftoppm', '-r', '90', 'ticket.pdf');
    const [, width = 0, height = 0] =
      /^P6\n(\d+) (\d+)\n255\n/.exec(image.subarray(0, 30).toString('latin1'))?.map(Number) ?? [];
    const rgb = image.subarray(image.length - width * height * 3);
    const rgba = new Uint8ClampedArray(width * height * 4).map((_, at) =>
      at % 4 === 3 ? 255 : (rgb[(at >> 2) * 3 + (at % 4)] ?? 0),
    );
    return {
      text: run('pdftotext', '-layout', 'ticket.pdf', '-').toString(),
      info: run('pdfinfo', 'ticket.pdf').toString(),
      fonts: run('pdffonts', 'ticket.pdf').toString(),
      code: decode(rgba, width, height)?.data,
      rgba,
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

describe('the ticket of a confirmed booking', () => {
  it('is a PDF with all that a conductor wants to see', async () => {
    const id = await confirmed(
      {
        trip_id: EXAMPLE_TRIP,
        passenger_name: 'Łukasz Øster Ελένη Ђорђевић',
        has_dog: true,
      },
      50,
    );
    const answer = await ticket(id);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="ticket-${id}.pdf"`,
      'cache-control': 'private, no-cache',
    });
    expect(answer.headers.vary).toMatch(/\bAccept\b/);
    const { text, info, fonts, code } = read(answer.rawPayload);
    for (const shown of [
      'Berlin Hauptbahnhof',
      'Paris Gare du Nord',
      'Thursday, 1 February 2024',
      'Łukasz Øster Ελένη Ђорђевић',
      '50.00 EUR',
      'Dog',
      id,
    ])
      expect(text).toContain(shown);
    // On the clocks of the stations, which the published example gives in UTC.
    const trip = (await t.inject({ url: `/trips/${EXAMPLE_TRIP}` })).json();
    const clock = (instant: string) =>
      new Date(Date.parse(instant) + 3_600_000).toISOString().slice(11, 16);
    expect(text).toContain(clock(trip.departure_time));
    expect(text).toContain(clock(trip.arrival_time));
    expect(text).toContain(trip.operator);
    expect(text).not.toContain('Bicycle');
    expect(info).toMatch(/^Pages: +1$/m);
    expect(info).toMatch(/^Title: .*Łukasz Øster/m);
    // Every font is in the file, and says which characters its shapes are.
    for (const font of fonts.trim().split('\n').slice(2)) expect(font).toMatch(/yes yes yes/);
    expect(code).toBe(id);
  });

  it('draws Han characters as well, up to the longest name', async () => {
    const ink = async (passenger_name: string) => {
      const { rgba, code, text } = read(
        (await ticket(await confirmed({ passenger_name }))).rawPayload,
      );
      expect(code).toMatch(/^[0-9a-f-]{36}$/);
      // Above the code, which is another one for each booking.
      const upper = rgba.subarray(0, rgba.length * 0.55);
      return { dark: upper.filter((level, at) => at % 4 === 0 && level < 100).length, text };
    };
    const few = await ink('李金城武 x');
    expect(few.text).not.toContain('\ufffd');
    const none = await ink('x');
    expect(few.dark - none.dark).toBeGreaterThan(200);
    expect((await ink('李'.repeat(200))).dark).toBeGreaterThan(few.dark + 2000);
    // What no font has is shown to be missing.
    expect((await ink('😀 x')).text).toContain('\ufffd');
  });

  it('is a boarding pass where the client asks for one', async () => {
    const id = await confirmed({ passenger_name: 'Zoë 李', has_bicycle: true });
    const answer = await ticket(id, { accept: PASS });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': PASS,
      'content-disposition': `attachment; filename="ticket-${id}.pkpass"`,
    });
    const files = readPass(answer.rawPayload);
    expect(opensslAccepts(files)).toEqual({ smime: true, cms: true });
    const pass = jsonOf(files);
    expect(pass).toMatchObject({
      serialNumber: id,
      barcode: { message: id },
      boardingPass: {
        transitType: 'PKTransitTypeTrain',
        primaryFields: [
          { key: 'from', value: 'Berlin Hauptbahnhof' },
          { key: 'to', value: 'Paris Gare du Nord' },
        ],
        secondaryFields: [
          { key: 'passenger', value: 'Zoë 李' },
          { key: 'extras', label: 'With', value: 'Bicycle' },
        ],
      },
    });
    expect(pass).not.toHaveProperty('webServiceURL');
    const booking = (await t.inject({ url: `/bookings/${id}`, headers: alice })).json();
    const trip = (await t.inject({ url: `/trips/${booking.trip_id}` })).json();
    expect(Date.parse(pass.relevantDate)).toBe(
      Math.floor(Date.parse(trip.departure_time) / 1000) * 1000,
    );
    expect(pass.relevantDate).toMatch(/\+0[12]:00$/);
    expect(JSON.stringify(pass)).not.toContain('ticket.');
    const german = `${Buffer.from(files['de.lproj/pass.strings'] ?? [])}`;
    expect(german).toContain('"With" = "Mit";\n');
    const { boardingPass } = pass;
    for (const fields of ['header', 'primary', 'secondary', 'auxiliary', 'back'])
      for (const { label } of boardingPass[`${fields}Fields`])
        expect(german).toContain(`"${label}" = "`);
  });

  it('is the same bytes each time, under a tag and a time that a client can ask with', async () => {
    const id = await confirmed();
    for (const accept of ['application/pdf', PASS]) {
      const first = await ticket(id, { accept });
      const again = await ticket(id, { accept });
      expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
      expect(again.headers.etag).toBe(first.headers.etag);
      const since = `${first.headers['last-modified']}`;
      for (const asked of [
        { 'if-none-match': `${first.headers.etag}` },
        { 'if-none-match': `"other", W/${first.headers.etag}` },
        { 'if-modified-since': since },
      ]) {
        const known = await ticket(id, { accept, ...asked });
        expect([known.statusCode, known.body]).toEqual([304, '']);
        expect(known.headers.etag).toBe(first.headers.etag);
      }
      for (const asked of [
        { 'if-none-match': '"other"', 'if-modified-since': since },
        { 'if-modified-since': new Date(Date.parse(since) - 1000).toUTCString() },
        { 'if-modified-since': 'yesterday' },
      ])
        expect((await ticket(id, { accept, ...asked })).statusCode).toBe(200);
    }
    const tags = await Promise.all(
      ['application/pdf', PASS].map(async (accept) => (await ticket(id, { accept })).headers.etag),
    );
    expect(tags[0]).not.toBe(tags[1]);
  });

  it.each([
    ['*/*', 'application/pdf'],
    [`${PASS}, application/pdf;q=0.9`, PASS],
    [`${PASS};q=0.5, application/pdf;q=0.9`, 'application/pdf'],
    [`application/*;q=0.2, ${PASS};q=0.1`, 'application/pdf'],
    [`application/pdf;q=0, */*;q=0.1`, PASS],
  ])('Accept: %s gets %s', async (accept, type) => {
    const id = await confirmed();
    expect((await ticket(id, { accept })).headers['content-type']).toBe(type);
  });

  it('is 406 in every other format', async () => {
    const id = await confirmed();
    for (const accept of ['application/json', 'text/html', 'application/pdf;q=0']) {
      const answer = await ticket(id, { accept });
      expect(answer.statusCode).toBe(406);
      expect(answer.json().detail).toBe(
        `This operation answers in application/pdf or ${PASS} only.`,
      );
    }
  });
});

describe('no ticket', () => {
  it('is there before the booking is paid, nor after it has expired', async () => {
    const id = await held();
    const early = await ticket(id);
    expect(early.statusCode).toBe(409);
    expect(early.json()).toMatchObject({
      type: expect.stringMatching(/booking-not-confirmed$/),
      detail: 'The booking is held; pay for it, and its ticket is here.',
    });
    await t.given.expiredHold(id);
    expect((await ticket(id, { accept: PASS })).json()).toMatchObject({
      status: 409,
      detail: 'The booking has expired without being paid; make a new one.',
    });
  });

  it('is there for anybody else, nor for a booking that is not there', async () => {
    const id = await confirmed();
    const bob = await t.as('bob');
    const others = await t.inject({ url: `/bookings/${id}/ticket`, headers: bob });
    expect(others.statusCode).toBe(404);
    expect(others.body).not.toContain('John');
    expect((await ticket('0194a1f0-7a00-7000-8000-000000000000')).statusCode).toBe(404);
    expect((await ticket('1')).statusCode).toBe(400);
  });
});

describe('local times', () => {
  it('are those of each station, across the change of clocks', async () => {
    const trip_id = await t.given.trip();
    // Two hours before Berlin puts its clocks forward; London has an hour less.
    await sql`
      update train.trips
      set departure_time = '2040-03-24T23:30:00Z', arrival_time = '2040-03-25T05:30:00Z',
          destination_id = (select id from train.stations where timezone = 'Europe/London' limit 1)
      where id = ${trip_id}`.execute(t.db);
    const id = await confirmed({ trip_id });
    const { boardingPass } = jsonOf(readPass((await ticket(id, { accept: PASS })).rawPayload));
    expect(boardingPass.auxiliaryFields).toMatchObject([
      { key: 'departure', value: '2040-03-25T00:30:00+01:00' },
      { key: 'arrival', value: '2040-03-25T06:30:00+01:00' },
    ]);
    const { text } = read((await ticket(id)).rawPayload);
    expect(text).toContain('00:30');
    expect(text).toContain('06:30');
    expect(text).toContain('Sunday, 25 March 2040');
  });
});
