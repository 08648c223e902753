import { webhookDocument } from '../webhooks/document.ts';
import { exampleBooking } from './examples.ts';
import type { OpenApi } from '../platform/documents/documents.ts';

/** What the OpenAPI document says of the service as a whole. */
export const trainDocument = (publicUrl: string, baseUrl: string): OpenApi => ({
  info: {
    title: 'Train Travel API',
    version: '1.0.0',
    description:
      'Find trains across Europe, book a seat, and pay for it. A booking holds its seat for an hour; a payment confirms it.',
    license: { name: 'CC-BY-NC-SA-4.0', identifier: 'CC-BY-NC-SA-4.0' } as { name: string },
  },
  servers: [{ url: baseUrl, description: 'This server' }],
  tags: [
    { name: 'Stations', description: 'Find and filter train stations across Europe.' },
    { name: 'Trips', description: 'Timetables, prices and free seats between two stations.' },
    { name: 'Bookings', description: 'Hold a seat on a trip, look it up, or give it back.' },
    { name: 'Payments', description: 'Pay for a booking by card or bank account.' },
    {
      name: 'Webhooks',
      description:
        'Have new bookings sent to you: signed by Standard Webhooks, retried for three days, each attempt in a log.',
    },
  ],
  webhooks: webhookDocument('newBooking', {
    summary: 'A booking was made',
    description:
      'Sent when a booking is made by the same subject as the subscription, or by anybody where its client has the scope `bookings:all`.',
    tag: 'Webhooks',
    status: 200,
    schema: 'Booking',
    example: {
      name: 'booked',
      summary: 'A seat is held',
      value: exampleBooking(baseUrl),
    },
  }),
  components: {
    securitySchemes: {
      OAuth2: {
        type: 'oauth2',
        description: 'OAuth 2.0; the access token is sent as a bearer token.',
        flows: {
          authorizationCode: {
            authorizationUrl: `${publicUrl}/oauth/authorize`,
            tokenUrl: `${publicUrl}/oauth/token`,
            refreshUrl: `${publicUrl}/oauth/token`,
            scopes: { read: 'Read your bookings.', write: 'Make, pay and delete your bookings.' },
          },
          clientCredentials: {
            tokenUrl: `${publicUrl}/oauth/token`,
            scopes: { read: 'Read your bookings.', write: 'Make, pay and delete your bookings.' },
          },
        },
      },
    },
  },
});
