import type { Example, Examples } from '../platform/documents/examples.ts';
import { problemExample } from '../platform/documents/problem-responses.ts';
import type { ProblemSlug } from '../platform/problems/problem-types.ts';
import { webhookExamples } from '../webhooks/examples.ts';
import type { Booking } from './bookings.schemas.ts';
import { paymentExamples } from './payments/payments.examples.ts';
import type { Station } from './stations.schemas.ts';
import type { Trip } from './trips.schemas.ts';

const TRIP = 'ea399ba1-6d95-433f-92d1-83f67b775594';
const BOOKING = '1725ff48-ab45-4bb5-9d02-88745177dedb';

const BERLIN: Station = {
  id: 'efdbb9d1-02c2-4bc3-afb7-6788d8782b1e',
  name: 'Berlin Hauptbahnhof',
  address: 'Europaplatz 1, 10557 Berlin',
  country_code: 'DE',
  timezone: 'Europe/Berlin',
  latitude: 52.5251,
  longitude: 13.3694,
};
const MUNICH: Station = {
  id: '01941f3b-3cb6-736f-92a5-9b0f18fa7325',
  name: 'München Hauptbahnhof',
  address: 'Bayerstraße 10a, 80335 München',
  country_code: 'DE',
  timezone: 'Europe/Berlin',
  latitude: 48.1402,
  longitude: 11.5583,
};
const AUSTERLITZ: Station = {
  id: '01941f47-6240-789a-acb2-863bf0260693',
  name: 'Paris Austerlitz',
  address: "85 Quai d'Austerlitz, 75013 Paris",
  country_code: 'FR',
  timezone: 'Europe/Paris',
  latitude: 48.8422,
  longitude: 2.365,
};
const PARIS_NORD = 'b2e783e1-c824-4d63-b37a-d8d698862f1d';

const exampleTrip = (baseUrl: string): Trip => ({
  id: TRIP,
  origin: BERLIN.id,
  destination: PARIS_NORD,
  departure_time: '2024-02-01T10:00:00.000Z',
  arrival_time: '2024-02-01T16:00:00.000Z',
  operator: 'Deutsche Bahn',
  price: 50,
  currency: 'eur',
  bicycles_allowed: true,
  dogs_allowed: true,
  seats_available: 999,
  links: {
    self: `${baseUrl}/trips/${TRIP}`,
    origin: `${baseUrl}/stations/${BERLIN.id}`,
    destination: `${baseUrl}/stations/${PARIS_NORD}`,
  },
});

/** The booking that every example is about, held. */
export const exampleBooking = (baseUrl: string): Booking => ({
  id: BOOKING,
  trip_id: TRIP,
  passenger_name: 'John Doe',
  has_bicycle: true,
  has_dog: false,
  status: 'held',
  expires_at: '2024-02-01T10:00:00.000Z',
  price: 50,
  currency: 'eur',
  links: { self: `${baseUrl}/bookings/${BOOKING}` },
});

const stationExamples = (baseUrl: string): Examples => {
  /** One station of a page; `more`: there is a next one. */
  const found = (query: Record<string, string>, station: Station, more = false) => {
    const self = `${baseUrl}/stations?${new URLSearchParams({ limit: '1', ...query })}`;
    const links = more ? { self, next: `${self}&page=2` } : { self };
    return {
      query: { limit: 1, ...query },
      status: 200,
      answer: { data: [station], links },
    };
  };
  return {
    'get-stations': [
      {
        name: 'by-name',
        summary: 'Part of a name, accents forgiven',
        ...found({ search: 'munchen' }, MUNICH),
      },
      { name: 'misspelt', summary: 'A near miss', ...found({ search: 'berln' }, BERLIN, true) },
      {
        name: 'nearest',
        summary: 'The nearest to a place',
        ...found({ coordinates: '48.8566,2.3522' }, AUSTERLITZ, true),
      },
    ],
    'get-station': [{ name: 'berlin', summary: 'A station', status: 200, answer: BERLIN }],
  };
};

const tripExamples = (baseUrl: string): Examples => {
  const trip = exampleTrip(baseUrl);
  const search = { origin: BERLIN.id, destination: PARIS_NORD, date: '2024-02-01' };
  const later = '4d67459c-af07-40bb-bb12-178dbb88e09f';
  return {
    'get-trips': [
      {
        name: 'berlin-to-paris',
        summary: 'From Berlin to Paris on a day',
        query: search,
        status: 200,
        answer: {
          data: [
            trip,
            {
              ...trip,
              id: later,
              departure_time: '2024-02-01T12:00:00.000Z',
              arrival_time: '2024-02-01T18:00:00.000Z',
              operator: 'SNCF',
              seats_available: 1000,
              links: { ...trip.links, self: `${baseUrl}/trips/${later}` },
            },
          ],
          links: { self: `${baseUrl}/trips?${new URLSearchParams(search)}` },
        },
      },
    ],
    'get-trip': [{ name: 'berlin-to-paris', summary: 'A trip', status: 200, answer: trip }],
  };
};

const bookingExamples = (publicUrl: string, baseUrl: string): Examples => {
  const booking = exampleBooking(baseUrl);
  const { expires_at: _, ...ended } = booking;
  const bookings = new URL(`${baseUrl}/bookings`).pathname;
  const body = { trip_id: TRIP, passenger_name: 'John Doe', has_bicycle: true, has_dog: false };
  const refused = (slug: ProblemSlug, request = body): Example =>
    problemExample(slug, publicUrl, bookings, { body: request });
  return {
    'get-bookings': [
      {
        name: 'one',
        summary: 'One booking',
        status: 200,
        answer: { data: [booking], links: { self: `${baseUrl}/bookings` } },
      },
    ],
    'create-booking': [
      {
        name: 'with-a-bicycle',
        summary: 'A seat, and room for a bicycle',
        body,
        status: 201,
        answer: booking,
      },
      {
        name: 'alone',
        summary: 'A seat',
        body: { trip_id: TRIP, passenger_name: 'Zoë Łukasz' },
        status: 201,
        answer: { ...booking, passenger_name: 'Zoë Łukasz', has_bicycle: false },
      },
      refused('trip-departed'),
      refused('bicycle-not-allowed'),
      refused('dog-not-allowed', { ...body, has_bicycle: false, has_dog: true }),
      refused('trip-sold-out'),
    ],
    'get-booking': [
      { name: 'held', summary: 'It waits for its payment', status: 200, answer: booking },
      {
        name: 'confirmed',
        summary: 'It is paid',
        status: 200,
        answer: { ...ended, status: 'confirmed' },
      },
      {
        name: 'expired',
        summary: 'It was not paid in time',
        status: 200,
        answer: { ...ended, status: 'expired' },
      },
    ],
    'delete-booking': [
      { name: 'give-back', summary: 'Somebody else may have the seat', status: 204 },
      problemExample('booking-confirmed', publicUrl, `${bookings}/${BOOKING}`, {}),
    ],
    'get-booking-ticket': [
      { name: 'pdf', summary: 'A page', accept: 'application/pdf', status: 200 },
      {
        name: 'wallet',
        summary: 'A pass for a wallet',
        accept: 'application/vnd.apple.pkpass',
        status: 200,
      },
      problemExample('booking-not-confirmed', publicUrl, `${bookings}/${BOOKING}/ticket`, {}),
    ],
  };
};

/** Requests and answers that the document shows. */
export const trainExamples = (publicUrl: string, baseUrl: string): Examples => ({
  ...stationExamples(baseUrl),
  ...tripExamples(baseUrl),
  ...bookingExamples(publicUrl, baseUrl),
  ...paymentExamples(publicUrl, `${baseUrl}/bookings/${BOOKING}`),
  ...webhookExamples({
    publicUrl,
    baseUrl,
    eventType: 'newBooking',
    operationId: (kebab) => kebab,
  }),
});
