import { describe, expect, it } from 'vitest';
import { BERLIN, PARIS, PAYMENT } from '../given.ts';
import { startApp } from '../harness.ts';

describe('the main journey', () => {
  it('finds a train, books it, pays for it and sees it confirmed, with a token of the demo client', async () => {
    await using t = await startApp();
    const granted = await t.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: {
        authorization: `Basic ${Buffer.from('quartet-demo:demo-secret').toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: 'grant_type=client_credentials&scope=read write',
    });
    expect(granted.statusCode).toBe(200);
    const headers = { authorization: `Bearer ${granted.json().access_token}` };

    const find = async (search: string) =>
      (await t.inject({ url: `/stations?search=${search}` })).json().data[0];
    const [berlin, paris] = [await find('Berlin Hauptbahnhof'), await find('Paris Gare du Nord')];
    expect([berlin.id, paris.id]).toEqual([BERLIN, PARIS]);

    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const trips = (
      await t.inject({ url: `/trips?origin=${berlin.id}&destination=${paris.id}&date=${tomorrow}` })
    ).json().data;
    expect(trips.length).toBeGreaterThanOrEqual(3);
    const [trip] = trips;

    const booked = await t.inject({
      method: 'POST',
      url: '/bookings',
      headers,
      payload: { trip_id: trip.id, passenger_name: 'John Doe' },
    });
    expect(booked.statusCode).toBe(201);
    const booking = booked.json();
    expect(booking).toMatchObject({ status: 'held', price: trip.price, currency: 'eur' });
    expect(booked.headers['location']).toBe(booking.links.self);
    const seats = (await t.inject({ url: `/trips/${trip.id}` })).json().seats_available;
    expect(seats).toBe(trip.seats_available - 1);

    const paid = await t.inject({
      method: 'POST',
      url: `/bookings/${booking.id}/payment`,
      headers,
      payload: { ...PAYMENT, amount: booking.price },
    });
    expect(paid.statusCode).toBe(200);
    expect(paid.json()).toMatchObject({
      status: 'succeeded',
      source: { number: '************4242' },
      links: { booking: booking.links.self },
    });

    const confirmed = (await t.inject({ url: `/bookings/${booking.id}`, headers })).json();
    expect(confirmed.status).toBe('confirmed');
    expect(confirmed).not.toHaveProperty('expires_at');
  });
});
