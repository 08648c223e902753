import createClient from 'openapi-fetch';
import { describe, expect, it } from 'vitest';
import { CURATOR, MERMAIDS } from '../given.ts';
import { sharedApp } from '../harness.ts';
import { answered, firstOf, refused } from './answers.ts';
import type { paths, Writable } from './generated/museum.ts';

type Operation = paths['/special-events']['post'];
type NewEvent = Writable<Operation['requestBody']['content']['application/json']>;
type Json = 'application/json' | 'application/problem+json';

const t = await sharedApp();
const baseUrl = await t.listen();
// A ticket is a page, too, where a browser asks for it.
const visitor = createClient<paths, Json>({ baseUrl });
const staff = createClient<paths, Json>({ baseUrl, headers: CURATOR });

const EVENT: NewEvent = {
  name: 'Pirate Coding Workshop',
  location: 'Computer Room',
  eventDescription: 'Captain Blackbeard shares his love of the C...language.',
  dates: ['2030-09-05', '2030-09-06'],
  price: 25,
};

describe('a generated client of the museum', () => {
  it('knows when the museum is open', async () => {
    const query = { startDate: '2030-09-02', limit: 3 };
    const hours = answered(await visitor.GET('/museum-hours', { params: { query } }));
    expect(hours).toHaveLength(3);
    const { date, timeOpen, timeClose } = firstOf(hours);
    expect(date >= query.startDate).toBe(true);
    expect(timeOpen < timeClose).toBe(true);
  });

  it('keeps events', async () => {
    const created = await staff.POST('/special-events', { body: EVENT });
    const event = answered(created);
    expect(event).toEqual({ ...EVENT, eventId: event.eventId });
    const params = { path: { eventId: event.eventId } };
    const query = { startDate: '2030-09-01', endDate: '2030-09-30' };
    const listed = answered(await staff.GET('/special-events', { params: { query } }));
    expect(listed).toEqual([event]);
    const body = { price: 0, dates: [...event.dates, '2030-09-07'] };
    const headers = { 'if-match': created.response.headers.get('etag') };
    const change = () => staff.PATCH('/special-events/{eventId}', { params, body, headers });
    expect(answered(await change())).toEqual({ ...event, ...body });
    expect(refused(await change()).status).toBe(412);
    expect(answered(await staff.DELETE('/special-events/{eventId}', { params }))).toBeUndefined();
    const gone = await staff.GET('/special-events/{eventId}', { params });
    expect(refused(gone).status).toBe(404);
  });

  it('buys tickets, and gets their files', async () => {
    const general = await visitor.POST('/tickets', {
      body: { ticketType: 'general', ticketDate: '2030-09-05', email: 'todd@example.com' },
    });
    expect(answered(general)).not.toHaveProperty('eventName');
    const bought = answered(
      await visitor.POST('/tickets', {
        body: { ticketType: 'event', eventId: MERMAIDS, ticketDate: '2023-09-05' },
      }),
    );
    // Only a ticket for an event names it.
    if (bought.ticketType === 'event') expect(bought.eventName).toMatch(/\w/);
    else expect(bought.ticketType).toBe('event');
    expect(bought.confirmationCode).toMatch(/^ticket-event-/);

    const params = { path: { ticketId: bought.ticketId } };
    const { message: _, ...shown } = bought;
    const ticket = answered(await visitor.GET('/tickets/{ticketId}', { params }));
    expect(ticket).toEqual({ ...shown, status: 'valid' });
    const pass = await visitor.GET('/tickets/{ticketId}/pkpass', {
      params,
      parseAs: 'arrayBuffer',
    });
    const bytes = Buffer.from(answered(pass));
    expect(bytes.toString('latin1', 0, 2)).toBe('PK');
    const accept = 'application/json';
    const file = await visitor.GET('/tickets/{ticketId}/pkpass', { params, headers: { accept } });
    const { pkpassFile, ticketDate } = answered(file);
    expect(Buffer.from(pkpassFile, 'base64')).toEqual(bytes);
    expect(ticketDate).toBe('2023-09-05');
    const code = await visitor.GET('/tickets/{ticketId}/qr', { params, parseAs: 'blob' });
    expect(answered(code).type).toBe('image/png');

    const sold = answered(await staff.GET('/tickets', { params: { query: { limit: 2 } } }));
    expect(sold.map(({ ticketId }) => ticketId)).toContain(bought.ticketId);
  });

  it('subscribes to events, and no longer', async () => {
    const SUBSCRIPTIONS = '/webhooks/publishNewEvent/subscriptions';
    const body = { url: 'http://127.0.0.1:9/', enabled: false };
    const { secret, ...made } = answered(await staff.POST(SUBSCRIPTIONS, { body }));
    expect(secret).toMatch(/^whsec_/);
    expect(answered(await staff.GET(SUBSCRIPTIONS)).data).toEqual([made]);
    const params = { path: { subscriptionId: made.id } };
    answered(await staff.DELETE(`${SUBSCRIPTIONS}/{subscriptionId}`, { params }));
    expect(answered(await staff.GET(SUBSCRIPTIONS)).data).toEqual([]);
  });

  it('has problems that it can handle', async () => {
    expect(refused(await visitor.GET('/special-events')).status).toBe(401);
    const free = await staff.POST('/special-events', { body: { ...EVENT, price: -1, dates: [] } });
    expect(refused(free)).toMatchObject({ status: 400, faults: ['/dates', '/price'] });
    const body = { ticketType: 'event', eventId: MERMAIDS, ticketDate: '2023-09-06' } as const;
    expect(refused(await visitor.POST('/tickets', { body })).status).toBe(400);
  });

  it('does not compile where the server would refuse', async () => {
    // @ts-expect-error There is no such path.
    expect((await staff.GET('/events')).response.status).toBe(404);
    const { name: _, ...nameless } = EVENT;
    // @ts-expect-error An event has a name.
    const refusal = refused(await staff.POST('/special-events', { body: nameless }));
    expect(refusal.faults).toEqual(['/name']);
    // @ts-expect-error It has no such member.
    const limited: NewEvent = { ...EVENT, seats: 20 };
    const tooMuch = await staff.POST('/special-events', { body: limited });
    expect(refused(tooMuch).faults).toEqual(['/seats']);
    const season = await visitor.POST('/tickets', {
      // @ts-expect-error No such ticket is sold.
      body: { ticketType: 'season', ticketDate: '2030-09-05' },
    });
    expect(refused(season).faults).toEqual(['/ticketType']);
    const eventless = await visitor.POST('/tickets', {
      // @ts-expect-error A ticket for an event is for one of them.
      body: { ticketType: 'event', ticketDate: '2023-09-05' },
    });
    expect(refused(eventless).faults).toEqual(['/eventId']);
    const event = firstOf(answered(await staff.GET('/special-events')));
    // @ts-expect-error A price is a number.
    expect(event.price === '0').toBe(false);
  });
});
