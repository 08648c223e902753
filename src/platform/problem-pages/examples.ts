import type { Fault } from '../problems.ts';
import type { ProblemSlug } from '../problem-types.ts';

/** An answer as it is given: where it was asked for, what its `detail` says, what comes with it. */
interface Example {
  instance?: string;
  detail: string;
  errors?: Fault[];
  headers?: Record<string, string>;
}

const BOOKING = '/bookings/0194a1f0-7a00-7000-8000-000000000000';
const SUBSCRIPTIONS = '/webhooks/newBooking/subscriptions';

/** One of each kind, for the pages that explain them. */
export const PROBLEM_EXAMPLES: Record<ProblemSlug, Example> = {
  'invalid-request': {
    instance: '/bookings',
    detail: '2 faults; "errors" names each.',
    errors: [
      { pointer: '/trip_id', detail: 'is required' },
      { pointer: '/passenger_name', detail: 'must be a string, not null' },
    ],
  },
  'malformed-request': { detail: 'The header Host is missing.' },
  'malformed-body': { instance: '/bookings', detail: 'The body is not JSON: it ends too early.' },
  'malformed-url': {
    instance: '/stations',
    detail: 'The query has a percent sign that encodes nothing.',
  },
  'payment-amount-mismatch': {
    instance: `${BOOKING}/payment`,
    detail: 'The booking costs 49.99 eur; the payment offers 50 eur.',
  },
  'wrong-credentials': {
    instance: '/v3/user/login',
    detail: 'Invalid username/password supplied.',
  },
  unauthorized: {
    instance: '/bookings',
    detail: 'This operation needs an access token.',
    headers: { 'WWW-Authenticate': 'Bearer realm="train"' },
  },
  forbidden: {
    instance: '/bookings',
    detail: 'The access token lacks the scope "write".',
    headers: {
      'WWW-Authenticate': 'Bearer realm="train", error="insufficient_scope", scope="write"',
    },
  },
  'not-found': {
    instance: BOOKING,
    detail: 'You have no booking 0194a1f0-7a00-7000-8000-000000000000.',
  },
  'method-not-allowed': {
    instance: '/trips',
    detail: 'PUT is not one of GET, HEAD, OPTIONS.',
    headers: { Allow: 'GET, HEAD, OPTIONS' },
  },
  'not-acceptable': {
    instance: '/stations',
    detail: 'This operation answers in application/json only.',
  },
  'request-timeout': { detail: 'The request did not arrive whole in time.' },
  'trip-sold-out': { instance: '/bookings', detail: 'Every seat of the trip is held or booked.' },
  'trip-departed': { instance: '/bookings', detail: 'The trip has left; choose a later one.' },
  'bicycle-not-allowed': { instance: '/bookings', detail: 'The trip takes no bicycles.' },
  'dog-not-allowed': { instance: '/bookings', detail: 'The trip takes no dogs.' },
  'booking-expired': {
    instance: `${BOOKING}/payment`,
    detail: 'The hold has ended; make a new booking.',
  },
  'booking-already-paid': {
    instance: `${BOOKING}/payment`,
    detail: 'The booking has been paid.',
  },
  'booking-confirmed': {
    instance: BOOKING,
    detail: 'The booking has been paid; it cannot be deleted.',
  },
  'subscription-disabled': {
    instance: `${SUBSCRIPTIONS}/0194a1f0-7a00-7000-8000-000000000000/test`,
    detail:
      'The subscription is disabled, so nothing would be sent; PATCH it with "enabled": true first.',
  },
  'too-many-subscriptions': {
    instance: SUBSCRIPTIONS,
    detail: 'You have 50 subscriptions to this event already; delete one first.',
  },
  'booking-not-confirmed': {
    instance: `${BOOKING}/ticket`,
    detail: 'The booking is held; pay for it, and its ticket is here.',
  },
  'id-taken': { instance: '/v3/pets', detail: 'There is a pet 10 already.' },
  'username-taken': { instance: '/v3/user', detail: 'There is a user user1 already.' },
  'too-many-images': {
    instance: '/v3/pets/10/uploadImage',
    detail: 'The pet has as many images as it can.',
  },
  'name-taken': { instance: '/quizzes', detail: 'There is a quiz "Who we are" already.' },
  'idempotency-key-in-use': {
    instance: '/bookings',
    detail: 'The first request with this key still runs.',
    headers: { 'Retry-After': '1' },
  },
  'precondition-failed': {
    instance: '/special-events/dad4bce8-f5cb-4078-a211-995864315e39',
    detail: 'The entity tag is now "RfR-rVTTXR7grIvoHzdovBjUpbc"; If-Match names another.',
  },
  'body-too-large': {
    instance: '/bookings',
    detail: 'The body is larger than this operation takes.',
  },
  'uri-too-long': {
    instance: `/stations/${'x'.repeat(101)}`,
    detail: 'A part of the path has more than 100 characters.',
  },
  'unsupported-media-type': {
    instance: '/bookings',
    detail: 'Send the body as application/json.',
  },
  'range-not-satisfiable': {
    instance: '/v3/pets/10/images/1',
    detail: 'The image has 4096 bytes.',
    headers: { 'Content-Range': 'bytes */4096' },
  },
  'idempotency-key-reused': {
    instance: '/bookings',
    detail: 'This Idempotency-Key came with another body.',
  },
  'too-many-requests': {
    instance: '/trips',
    detail: 'More than 6000 requests in 60 s; the next window starts in 12 s.',
    headers: { 'Retry-After': '12' },
  },
  'headers-too-large': { detail: 'The request headers are larger than 16 KiB.' },
  'internal-error': {
    instance: '/trips',
    detail: 'The request failed by a fault of ours; it has been logged.',
  },
  unavailable: {
    instance: '/trips',
    detail: 'The database does not answer at the moment. Nothing was changed.',
    headers: { 'Retry-After': '5' },
  },
};
