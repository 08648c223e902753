import type { Fault } from './problems.ts';
import type { ProblemSlug } from './problem-types.ts';

/** An answer as it is given: where it was asked for, what its `detail` says, what comes with it. */
export interface ProblemExample {
  instance?: string;
  detail: string;
  errors?: Fault[];
  headers?: Record<string, string>;
}

/** One of each kind, for the documents and for the pages that explain them. */
export const PROBLEM_EXAMPLES: Record<ProblemSlug, ProblemExample> = {
  'invalid-request': {
    instance: '/stations',
    detail: 'page must be 1 or more',
    errors: [
      {
        parameter: 'page',
        detail: 'must be 1 or more',
      },
    ],
  },
  'malformed-request': {
    detail: 'This is not an HTTP/1.1 request.',
  },
  'malformed-body': {
    instance: '/bookings',
    detail: 'The body is not JSON: it breaks at line 1, column 30.',
  },
  'malformed-url': {
    instance: '/stations',
    detail: 'The query has a percent sign that encodes nothing.',
  },
  'payment-amount-mismatch': {
    instance: '/bookings/1725ff48-ab45-4bb5-9d02-88745177dedb/payment',
    detail: 'The booking costs 50 eur; the payment offers 49.99 eur.',
  },
  'wrong-credentials': {
    instance: '/v3/user/login',
    detail: 'Invalid username/password supplied.',
  },
  unauthorized: {
    instance: '/bookings',
    detail: 'This operation needs an access token.',
    headers: {
      'WWW-Authenticate': 'Bearer realm="train"',
    },
  },
  forbidden: {
    instance: '/bookings',
    detail: 'The access token lacks the scope "write".',
    headers: {
      'WWW-Authenticate': 'Bearer realm="train", error="insufficient_scope", scope="write"',
    },
  },
  'not-found': {
    instance: '/bookings/1725ff48-ab45-4bb5-9d02-88745177dedb',
    detail: 'You have no booking 1725ff48-ab45-4bb5-9d02-88745177dedb.',
  },
  'method-not-allowed': {
    instance: '/bookings',
    detail: 'PUT is not one of GET, HEAD, POST, OPTIONS.',
    headers: {
      Allow: 'GET, HEAD, POST, OPTIONS',
    },
  },
  'not-acceptable': {
    instance: '/stations',
    detail: 'This operation answers in application/json only.',
  },
  'request-timeout': {
    detail: 'The request did not arrive whole in time.',
  },
  'trip-sold-out': {
    instance: '/bookings',
    detail: 'Every seat of the trip is held or booked.',
  },
  'trip-departed': {
    instance: '/bookings',
    detail: 'The trip has left; choose a later one.',
  },
  'bicycle-not-allowed': {
    instance: '/bookings',
    detail: 'The trip takes no bicycles.',
  },
  'dog-not-allowed': {
    instance: '/bookings',
    detail: 'The trip takes no dogs.',
  },
  'booking-expired': {
    instance: '/bookings/1725ff48-ab45-4bb5-9d02-88745177dedb/payment',
    detail: 'The hold has ended; make a new booking.',
  },
  'booking-already-paid': {
    instance: '/bookings/1725ff48-ab45-4bb5-9d02-88745177dedb/payment',
    detail: 'The booking has been paid.',
  },
  'booking-confirmed': {
    instance: '/bookings/1725ff48-ab45-4bb5-9d02-88745177dedb',
    detail: 'The booking has been paid; it cannot be deleted.',
  },
  'subscription-disabled': {
    instance: '/webhooks/newBooking/subscriptions/0194a1f0-7a00-7000-8000-000000000000/test',
    detail:
      'The subscription is disabled, so nothing would be sent; PATCH it with "enabled": true first.',
  },
  'too-many-subscriptions': {
    instance: '/webhooks/newBooking/subscriptions',
    detail: 'You have 50 subscriptions to this event already; delete one first.',
  },
  'booking-not-confirmed': {
    instance: '/bookings/1725ff48-ab45-4bb5-9d02-88745177dedb/ticket',
    detail: 'The booking is held; pay for it, and its ticket is here.',
  },
  'id-taken': {
    instance: '/v3/pets',
    detail: 'There is a pet 10 already.',
  },
  'username-taken': {
    instance: '/v3/user',
    detail: 'There is a user theUser already.',
  },
  'too-many-images': {
    instance: '/v3/pets/10/uploadImage',
    detail: 'The pet has as many images as it can.',
  },
  'name-taken': {
    instance: '/quizzes',
    detail: 'There is a quiz "Who we are" already.',
  },
  'idempotency-key-in-use': {
    instance: '/bookings',
    detail: 'The first request with this key still runs.',
    headers: {
      'Retry-After': '1',
    },
  },
  'precondition-failed': {
    instance: '/bookings/1725ff48-ab45-4bb5-9d02-88745177dedb',
    detail: 'The entity tag is now "KnrJqv5Ok6KJ1F7XIGy-BbuD9gk"; If-Match names another.',
  },
  'body-too-large': {
    instance: '/bookings',
    detail: 'The body is larger than this operation takes.',
  },
  'uri-too-long': {
    instance:
      '/stations/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    detail: 'A part of the path has more than 100 characters.',
  },
  'unsupported-media-type': {
    instance: '/bookings',
    detail: 'Send the body as application/json.',
  },
  'range-not-satisfiable': {
    instance: '/v3/pets/10/images/1',
    detail: 'The image has 1234 bytes.',
    headers: {
      'Content-Range': 'bytes */1234',
    },
  },
  'idempotency-key-reused': {
    instance: '/bookings',
    detail: 'This Idempotency-Key came with another body.',
  },
  'too-many-requests': {
    instance: '/trips',
    detail: 'More than 6000 requests in 60 s; the next window starts in 12 s.',
    headers: {
      'Retry-After': '12',
    },
  },
  'headers-too-large': {
    detail: 'The request headers are larger than 16 KiB.',
  },
  'internal-error': {
    instance: '/trips',
    detail: 'The request failed by a fault of ours; it has been logged.',
  },
  unavailable: {
    instance: '/trips',
    detail: 'The database does not answer at the moment. Nothing was changed.',
    headers: {
      'Retry-After': '5',
    },
  },
};
