import type { Examples } from '../platform/documents/examples.ts';
import type { Booking } from './bookings.schemas.ts';

const TRIP = 'ea399ba1-6d95-433f-92d1-83f67b775594';
const BOOKING = '1725ff48-ab45-4bb5-9d02-88745177dedb';

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

/** Requests and answers that the document shows. */
export const trainExamples = (baseUrl: string): Examples => ({
  'create-booking': [
    {
      name: 'with-a-bicycle',
      summary: 'A seat, and room for a bicycle',
      body: { trip_id: TRIP, passenger_name: 'John Doe', has_bicycle: true, has_dog: false },
      status: 201,
      answer: exampleBooking(baseUrl),
    },
  ],
  'get-booking': [
    {
      name: 'held',
      summary: 'A booking that waits for its payment',
      status: 200,
      answer: exampleBooking(baseUrl),
    },
  ],
});
