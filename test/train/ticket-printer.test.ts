import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createPrinter } from '../../src/train/ticket/printer.ts';
import type { TicketRow } from '../../src/train/ticket/ticket.queries.ts';

const station = {
  name: 'Berlin Hauptbahnhof',
  address: 'Europaplatz 1, 10557 Berlin',
  timezone: 'Europe/Berlin',
  latitude: 52.5251,
  longitude: 13.3694,
};

const ticket: TicketRow = {
  id: '0194a1f0-7a00-7000-8000-000000000001',
  subject: 'alice',
  passenger_name: 'John Doe',
  has_bicycle: false,
  has_dog: false,
  status: 'confirmed',
  price_cents: 4999,
  currency: 'eur',
  operator: 'Test Railway',
  departure_time: new Date('2030-01-02T10:00:00Z'),
  arrival_time: new Date('2030-01-02T18:00:00Z'),
  origin: station,
  destination: station,
  paid_at: new Date('2030-01-01T00:00:00Z'),
};

describe('the printer', () => {
  it('fails the ticket that it cannot draw, and no other', async () => {
    const printer = createPrinter();
    const broken = { ...ticket, origin: { ...station, timezone: 'Nowhere/Nothing' } };
    const [first, refused, second] = await Promise.allSettled(
      [ticket, broken, ticket].map((each) => printer.print(each)),
    );
    expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(RangeError) });
    for (const made of [first, second]) {
      if (made?.status !== 'fulfilled') throw new Error('No ticket was made.');
      expect(made.value.subarray(0, 5).toString()).toBe('%PDF-');
      expect(made.value.equals(await printer.print(ticket))).toBe(true);
    }
  });

  it('goes on after its thread has ended for want of work', async () => {
    const printer = createPrinter(20);
    const pdf = await printer.print(ticket);
    await sleep(200);
    expect((await printer.print(ticket)).equals(pdf)).toBe(true);
  });

  it('does not wait for a ticket that cannot be sent to its thread', async () => {
    const printer = createPrinter();
    await expect(printer.print({ ...ticket, id: (() => '') as never })).rejects.toThrow(/cloned/);
    expect((await printer.print(ticket)).length).toBeGreaterThan(5000);
  });
});
