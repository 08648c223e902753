import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newConfirmationCode } from '../../src/museum/confirmation-code.ts';
import { insertTicket } from '../../src/museum/tickets.queries.ts';
import { CURATOR, MERMAIDS } from '../given.ts';
import { sharedApp } from '../harness.ts';

const t = await sharedApp();

const UNKNOWN = '0194a1f0-7a00-7000-8000-000000000000';
const EVENT = { ticketType: 'event', eventId: MERMAIDS, ticketDate: '2023-09-05' };
const GENERAL = { ticketType: 'general', ticketDate: '2023-09-07' };

const buy = (payload: object, headers: object = {}) =>
  t.inject({ method: 'POST', url: '/tickets', payload, headers: { ...headers } });
const stored = async () => {
  const { rows } = await sql<{ count: number }>`select count(*) from museum.tickets`.execute(t.db);
  return rows[0]?.count;
};

const CODE = '[2-9a-km-np-z]{6}-[2-9a-km-np-z]{5}';

describe('POST /tickets', () => {
  it('sells the published examples', async () => {
    const event = await buy({ ...EVENT, email: 'todd@example.com' });
    expect(event.statusCode, event.body).toBe(201);
    expect(event.json()).toEqual({
      ticketId: expect.stringMatching(/^[\da-f-]{36}$/),
      confirmationCode: expect.stringMatching(`^ticket-event-${CODE}$`),
      message: 'Museum special event ticket purchased',
      ticketType: 'event',
      ticketDate: '2023-09-05',
      eventId: MERMAIDS,
      eventName: 'Mermaid Treasure Identification and Analysis',
    });
    expect(event.headers['location']).toBe(
      `http://127.0.0.1:3000/tickets/${event.json().ticketId}`,
    );
    const general = await buy({ ...GENERAL, email: 'todd@example.com', phone: '+1(234)-567-8910' });
    expect(general.json()).toEqual({
      ticketId: expect.stringMatching(/^[\da-f-]{36}$/),
      confirmationCode: expect.stringMatching(`^ticket-general-${CODE}$`),
      message: 'Museum general entry ticket purchased',
      ticketType: 'general',
      ticketDate: '2023-09-07',
    });
  });

  it('keeps the buyer to itself', async () => {
    const answer = await buy({ ...GENERAL, email: 'secret@example.com', phone: '0171 2345678' });
    const { ticketId } = answer.json();
    const one = await t.inject({ url: `/tickets/${ticketId}` });
    const all = await t.inject({ url: '/tickets?limit=30', headers: CURATOR });
    for (const { body } of [answer, one, all]) expect(body).not.toMatch(/secret|0171/);
  });

  it('ignores what only the museum decides, so that a ticket can be sent back', async () => {
    const first = (await buy(EVENT)).json();
    const again = await buy(first);
    expect(again.statusCode, again.body).toBe(201);
    expect(again.json().ticketId).not.toBe(first.ticketId);
    expect(again.json().confirmationCode).not.toBe(first.confirmationCode);
  });

  it('says which types of ticket there are, and what a general one does not take', async () => {
    const detailsOf = async (payload: object) =>
      (await buy(payload)).json().errors.map(({ detail }: { detail: string }) => detail);
    expect(await detailsOf({ ...EVENT, ticketType: 'vip' })).toEqual([
      'must be one of event, general',
    ]);
    expect(await detailsOf({ ...GENERAL, eventId: MERMAIDS })).toEqual([
      'is not a member of this body; remove it',
    ]);
  });

  it('names every fault, and sells nothing', async () => {
    const before = await stored();
    for (const [payload, pointers] of [
      [{}, ['/ticketType', '/ticketDate']],
      [{ ...EVENT, eventId: undefined }, ['/eventId']],
      [{ ...GENERAL, eventId: MERMAIDS }, ['/eventId']],
      [{ ticketType: 'event', ticketDate: '2023-02-29' }, ['/eventId', '/ticketDate']],
      [{ ...EVENT, ticketType: 'Event' }, ['/ticketType']],
      [{ ...EVENT, ticketType: null }, ['/ticketType']],
      [{ ...EVENT, eventId: 'mermaids' }, ['/eventId']],
      [{ ...EVENT, ticketDate: '2023-09-06' }, ['/ticketDate']],
      [{ ...GENERAL, ticketDate: '2023-9-7' }, ['/ticketDate']],
      [{ ...GENERAL, ticketDate: '0000-01-01' }, ['/ticketDate']],
      [{ ...GENERAL, email: 'todd' }, ['/email']],
      [{ ...GENERAL, email: 'a\u0000@example.com' }, ['/email']],
      [{ ...GENERAL, phone: 'call me' }, ['/phone']],
      [{ ...GENERAL, phone: '+1234\u0000' }, ['/phone']],
      [{ ...GENERAL, phone: '1'.repeat(60_000) }, ['/phone']],
      [{ ...GENERAL, quantity: 2 }, ['/quantity']],
      [[], ['']],
    ] as const) {
      const answer = await buy(payload);
      expect(answer.statusCode, answer.body).toBe(400);
      const found = answer.json().errors.map(({ pointer }: { pointer: string }) => pointer);
      expect(new Set(found), answer.body).toEqual(new Set(pointers));
    }
    expect((await buy({ ...EVENT, eventId: UNKNOWN })).statusCode).toBe(404);
    expect(await stored()).toBe(before);
  });

  it('says on which dates the event is held', async () => {
    expect((await buy({ ...EVENT, ticketDate: '2023-09-06' })).json().errors).toEqual([
      { pointer: '/ticketDate', detail: 'must be a date of the event: 2023-09-05, 2023-09-08' },
    ]);
  });

  it('gives 100 buyers at once 100 codes', async () => {
    const url = await t.listen();
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const answer = await fetch(`${url}/tickets`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(EVENT),
        });
        return (await answer.json()) as { ticketId: string; confirmationCode: string };
      }),
    );
    expect(new Set(answers.map(({ confirmationCode }) => confirmationCode)).size).toBe(100);
    expect(new Set(answers.map(({ ticketId }) => ticketId)).size).toBe(100);
  });

  it('never gives a code twice', async () => {
    const purchase = { ticketType: 'general', ticketDate: '2023-09-07' } as const;
    const code = newConfirmationCode('general');
    expect(await insertTicket(t.db, purchase, code)).toMatchObject({ ticket: {} });
    const before = await stored();
    expect(await insertTicket(t.db, purchase, code)).toEqual({ refused: 'code-taken' });
    expect(await stored()).toBe(before);
    const codes = Array.from({ length: 1000 }, () => newConfirmationCode('event'));
    expect(new Set(codes).size).toBe(1000);
    for (const each of codes) expect(each).toMatch(new RegExp(`^ticket-event-${CODE}$`));
  });

  it('sells one for an Idempotency-Key, and shows it to no other caller', async () => {
    const key = { 'idempotency-key': '1' };
    const first = await buy(EVENT, key);
    const again = await buy(EVENT, key);
    expect(again.body).toBe(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const staff = await buy(EVENT, { ...key, ...CURATOR });
    expect(staff.statusCode).toBe(201);
    expect(staff.json().ticketId).not.toBe(first.json().ticketId);
    const elsewhere = await t.inject({
      method: 'POST',
      url: '/tickets',
      payload: EVENT,
      headers: key,
      remoteAddress: '192.0.2.7',
    });
    expect(elsewhere.json().ticketId).not.toBe(first.json().ticketId);
    expect((await buy(GENERAL, key)).statusCode).toBe(422);
  });

  it('sells once to a buyer who asks ten times at the same moment', async () => {
    const before = (await stored()) ?? 0;
    const key = { 'idempotency-key': 'at-once' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => buy(GENERAL, key)));
    for (const { statusCode } of answers) expect([201, 409]).toContain(statusCode);
    expect(await stored()).toBe(before + 1);
  });
});

describe('GET /tickets', () => {
  it('lists all tickets to the staff, the newest first', async () => {
    const one = (await buy(EVENT)).json();
    const two = (await buy(GENERAL)).json();
    const answer = await t.inject({ url: '/tickets?limit=2', headers: CURATOR });
    expect(answer.json()).toEqual([
      { ticketId: two.ticketId, ticketDate: '2023-09-07', ticketType: 'general' },
      {
        ticketId: one.ticketId,
        ticketDate: '2023-09-05',
        ticketType: 'event',
        eventId: MERMAIDS,
      },
    ]);
    expect(answer.headers['link']).toContain('rel="next"');
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    const second = await t.inject({ url: '/tickets?limit=1&page=2', headers: CURATOR });
    expect(second.json()).toEqual(answer.json().slice(1));
    const last = await t.inject({ url: '/tickets?page=1000000', headers: CURATOR });
    expect([last.statusCode, last.json()]).toEqual([200, []]);
    expect((await t.inject({ url: '/tickets?limit=31', headers: CURATOR })).statusCode).toBe(400);
  });
});

describe('GET /tickets/{ticketId}', () => {
  it('shows the ticket to whoever knows its id', async () => {
    const { message: _, ...bought } = (await buy(EVENT)).json();
    const answer = await t.inject({ url: `/tickets/${bought.ticketId}` });
    expect(answer.json()).toEqual({ ...bought, status: 'valid' });
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    const known = await t.inject({
      url: `/tickets/${bought.ticketId}`,
      headers: { 'if-none-match': String(answer.headers['etag']) },
    });
    expect([known.statusCode, known.body]).toEqual([304, '']);
    const general = (await buy(GENERAL)).json();
    const shown = (await t.inject({ url: `/tickets/${general.ticketId}` })).json();
    expect(shown).not.toHaveProperty('eventId');
    expect(shown).not.toHaveProperty('eventName');
  });

  it('is 404 for an id that is no ticket, 400 for what is no id', async () => {
    for (const path of ['', '/pkpass', '/qr']) {
      expect((await t.inject({ url: `/tickets/${UNKNOWN}${path}` })).statusCode).toBe(404);
      expect((await t.inject({ url: `/tickets/mine${path}` })).statusCode).toBe(400);
    }
  });
});
