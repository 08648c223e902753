import { strFromU8, unzipSync } from 'fflate';
import { afterEach, describe, expect, it } from 'vitest';
import { setException, setWeeklyHours } from '../../src/museum/hours.queries.ts';
import { CURATOR, MERMAIDS } from '../given.ts';
import { sharedApp, startApp } from '../harness.ts';

const t = await sharedApp();

const PKPASS = 'application/vnd.apple.pkpass';
const EVENT = { ticketType: 'event', eventId: MERMAIDS, ticketDate: '2023-09-05' };

async function bought(payload: object = EVENT, app = t) {
  const answer = await app.inject({ method: 'POST', url: '/tickets', payload });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json() as { ticketId: string; confirmationCode: string };
}
const get = (ticketId: string, file: string, headers: object = {}, app = t) =>
  app.inject({ url: `/tickets/${ticketId}${file}`, headers: { ...headers } });

/** One file of a pass. */
function unzipped(pass: Buffer, file: string): string {
  const bytes = unzipSync(pass)[file];
  if (!bytes) throw new Error(`The pass has no ${file}.`);
  return strFromU8(bytes);
}
const passOf = async (ticketId: string, app = t) =>
  JSON.parse(unzipped((await get(ticketId, '/pkpass', {}, app)).rawPayload, 'pass.json'));

describe('GET /tickets/{ticketId}/pkpass', () => {
  it('is the pass of this ticket', async () => {
    const { ticketId, confirmationCode } = await bought();
    const answer = await get(ticketId, '/pkpass');
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': PKPASS,
      'content-disposition': `attachment; filename="${confirmationCode}.pkpass"`,
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
      'last-modified': expect.stringMatching(/ GMT$/),
      'cache-control': 'private, no-cache',
      vary: 'Origin, Accept',
    });
    const pass = JSON.parse(unzipped(answer.rawPayload, 'pass.json'));
    expect(pass).toMatchObject({
      serialNumber: ticketId,
      barcodes: [{ format: 'PKBarcodeFormatQR', message: ticketId, altText: confirmationCode }],
      // A Tuesday: the doors open at nine.
      relevantDate: '2023-09-05T09:00:00-04:00',
      expirationDate: '2023-09-06T00:00:00-04:00',
      eventTicket: {
        primaryFields: [{ value: 'Mermaid Treasure Identification and Analysis' }],
        secondaryFields: [{ value: '2023-09-05T00:00:00-04:00' }, { value: '09:00–18:00' }],
        auxiliaryFields: [{ value: 'Room Sea-12' }],
      },
    });
    expect(pass).not.toHaveProperty('voided');
    expect(JSON.stringify(pass.eventTicket.backFields)).toContain(ticketId);
  });

  it('has every text that it names, in three languages', async () => {
    const general = await bought({ ticketType: 'general', ticketDate: '2023-09-07' });
    for (const { ticketId } of [await bought(), general]) {
      const { rawPayload } = await get(ticketId, '/pkpass');
      const { description, organizationName, logoText, eventTicket } = JSON.parse(
        unzipped(rawPayload, 'pass.json'),
      );
      const fields = Object.values<{ label: string }[]>(eventTicket).flat();
      const shown = [description, organizationName, logoText, ...fields.map(({ label }) => label)];
      expect(shown.length).toBeGreaterThan(7);
      for (const language of ['en', 'fr', 'de']) {
        const texts = unzipped(rawPayload, `${language}.lproj/pass.strings`);
        for (const text of shown) expect(texts).toContain(`"${text}" = "`);
      }
      // Keys become English: a reader without translations has something to show.
      expect(unzipped(rawPayload, 'pass.json')).not.toMatch(/"(LABEL|TEXT|MUSEUM|TICKET)_/);
    }
  });

  it('is the same bytes for the same state, and 304 for who has them', async () => {
    const { ticketId } = await bought();
    const [one, two] = [await get(ticketId, '/pkpass'), await get(ticketId, '/pkpass')];
    expect(two.rawPayload.equals(one.rawPayload)).toBe(true);
    const etag = String(one.headers['etag']);
    const since = String(one.headers['last-modified']);
    for (const headers of [{ 'if-none-match': etag }, { 'if-modified-since': since }]) {
      const known = await get(ticketId, '/pkpass', headers);
      expect([known.statusCode, known.body]).toEqual([304, '']);
    }
    expect((await get(ticketId, '/pkpass', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('comes as base64 in JSON where that is preferred, and in nothing else', async () => {
    const { ticketId } = await bought();
    const binary = await get(ticketId, '/pkpass', { accept: '*/*' });
    const json = await get(ticketId, '/pkpass', { accept: `application/json, ${PKPASS};q=0.5` });
    expect(json.json()).toEqual({
      ticketId,
      eventName: 'Mermaid Treasure Identification and Analysis',
      ticketDate: '2023-09-05',
      pkpassFile: binary.rawPayload.toString('base64'),
    });
    expect(json.headers['etag']).not.toBe(binary.headers['etag']);
    expect((await get(ticketId, '/pkpass', { accept: 'text/html' })).statusCode).toBe(406);
  });

  it('changes with its event, and is void once that is cancelled', async () => {
    const event = {
      name: 'Opening',
      location: 'Hall',
      eventDescription: 'With a ribbon.',
      dates: ['2028-02-29'],
      price: 0,
    };
    const url = '/special-events';
    const headers = CURATOR;
    const made = await t.inject({ method: 'POST', url, headers, payload: event });
    const { eventId } = made.json();
    const { ticketId } = await bought({ ticketType: 'event', eventId, ticketDate: '2028-02-29' });
    const before = await get(ticketId, '/pkpass');
    const at = `${url}/${eventId}`;
    await t.inject({ method: 'PATCH', url: at, headers, payload: { location: 'Garden' } });
    const moved = await passOf(ticketId);
    expect(moved.eventTicket.auxiliaryFields).toMatchObject([{ value: 'Garden' }]);
    expect(moved.expirationDate).toBe('2028-03-01T00:00:00-05:00');
    const known = { 'if-none-match': String(before.headers['etag']) };
    expect((await get(ticketId, '/pkpass', known)).statusCode).toBe(200);
    await t.inject({ method: 'DELETE', url: at, headers });
    expect(await passOf(ticketId)).toMatchObject({ voided: true, serialNumber: ticketId });
  });
});

describe('the hours on a pass', () => {
  it('are those of its date, on the clock of the museum', async () => {
    await using other = await startApp({ env: { MUSEUM_TIMEZONE: 'Asia/Kathmandu' } });
    const pass = async (ticketDate: string) => {
      const { ticketId } = await bought({ ticketType: 'general', ticketDate }, other);
      const { headers } = await get(ticketId, '/pkpass', {}, other);
      return { ...(await passOf(ticketId, other)), headers, ticketId };
    };
    const saturday = await pass('2027-12-25');
    expect(saturday.relevantDate).toBe('2027-12-25T00:00:00+05:45');
    expect(saturday.eventTicket.secondaryFields).toHaveLength(1);
    await setException(other.db, '2027-12-25', { open: '11:00', close: '12:30' }, undefined);
    const opened = await pass('2027-12-25');
    expect(opened.relevantDate).toBe('2027-12-25T11:00:00+05:45');
    expect(opened.eventTicket.secondaryFields[1].value).toBe('11:00–12:30');
    // The pass that was there before shows the same now, and a client that has it is told.
    const known = { 'if-none-match': String(saturday.headers.etag) };
    const again = await get(saturday.ticketId, '/pkpass', known, other);
    expect(again.statusCode).toBe(200);
    await setWeeklyHours(other.db, 7, { open: '08:00', close: '09:00' });
    expect((await pass('2027-12-26')).relevantDate).toBe('2027-12-26T08:00:00+05:45');
  });

  it('know the summer', async () => {
    const at = async (ticketDate: string) =>
      (await passOf((await bought({ ticketType: 'general', ticketDate })).ticketId)).relevantDate;
    expect(await at('2025-03-07')).toBe('2025-03-07T10:00:00-05:00');
    expect(await at('2025-03-10')).toBe('2025-03-10T09:00:00-04:00');
    expect(await at('0001-01-01')).toMatch(/^0001-01-01T09:00:00-0/);
    expect(await at('9999-12-31')).toBe('9999-12-31T10:00:00-05:00');
  });
});

it('GET /tickets/{ticketId}/qr is a PNG that says for how long it is there', async () => {
  const { ticketId, confirmationCode } = await bought();
  const answer = await get(ticketId, '/qr');
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.rawPayload.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  expect(answer.headers).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': `inline; filename="${confirmationCode}.png"`,
    deprecation: expect.stringMatching(/^@\d+$/),
    link: `<http://127.0.0.1:3000/tickets/${ticketId}/pkpass>; rel="successor-version"`,
  });
  const sunset = Date.parse(String(answer.headers['sunset']));
  expect(new Date(sunset).toUTCString()).toBe(answer.headers['sunset']);
  const deprecated = Number(String(answer.headers['deprecation']).slice(1)) * 1000;
  expect(sunset).toBeGreaterThan(deprecated);
  const known = await get(ticketId, '/qr', { 'if-none-match': answer.headers['etag'] });
  expect(known.statusCode).toBe(304);
  expect((await get((await bought()).ticketId, '/qr')).headers['etag']).not.toBe(
    answer.headers['etag'],
  );
  expect((await get(ticketId, '/qr', { accept: 'application/json' })).statusCode).toBe(406);
});

describe('in a process far from the museum', () => {
  const home = process.env['TZ'];
  afterEach(() => {
    if (home === undefined) delete process.env['TZ'];
    else process.env['TZ'] = home;
  });

  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('%s, no date is shifted', async (zone) => {
    process.env['TZ'] = zone;
    expect(new Date(2028, 1, 29).getTimezoneOffset()).not.toBe(0);
    const { ticketId } = await bought();
    const page = await get(ticketId, '', { accept: 'text/html' });
    expect(page.body).toContain('<time datetime="2023-09-05">Tuesday, September 5, 2023</time>');
    expect((await get(ticketId, '')).json().ticketDate).toBe('2023-09-05');
    expect((await passOf(ticketId)).relevantDate).toBe('2023-09-05T09:00:00-04:00');
    const { headers } = await get(ticketId, '/pkpass');
    expect(Math.abs(Date.now() - Date.parse(String(headers['last-modified'])))).toBeLessThan(
      60_000,
    );
    const event = { name: 'New Year', location: 'Roof', eventDescription: 'Fireworks', price: 1 };
    const payload = { ...event, dates: ['2027-12-31', '2028-01-01', '2028-02-29'] };
    const url = '/special-events';
    const made = await t.inject({ method: 'POST', url, headers: CURATOR, payload });
    const { eventId, dates } = made.json();
    expect(dates).toEqual(payload.dates);
    const purchase = { ticketType: 'event', eventId, ticketDate: '2028-01-01' };
    const bill = await t.inject({ method: 'POST', url: '/tickets', payload: purchase });
    expect(bill.json().ticketDate).toBe('2028-01-01');
    const range = `${url}?startDate=2028-01-01&endDate=2028-01-01`;
    const found = await t.inject({ url: range, headers: CURATOR });
    expect(found.json().map((each: { eventId: string }) => each.eventId)).toContain(eventId);
    const hours = await t.inject({ url: '/museum-hours?startDate=2024-02-29&limit=1' });
    expect(hours.json()[0].date).toBe('2024-02-29');
  });
});
