import { conventions } from '../platform/documents/conventions.ts';
import { webhookDocument, webhookTag } from '../webhooks/document.ts';
import { exampleBooking } from './examples.ts';
import { oauthScheme } from '../platform/documents/oauth-scheme.ts';
import type { OpenApi } from '../platform/documents/documents.ts';

const introduction = (
  publicUrl: string,
) => `Find direct trains between the cities of Europe, book a seat and pay for it. Look up two stations, list the trips between them, \`POST /bookings\`, and pay before the hold ends, an hour later: then the booking is confirmed, and its ticket is there as a PDF and for a wallet. Seats are counted: a train that is full is sold out, for everybody, at once.

## Credentials

Stations and trips are open to everybody. All else takes an OAuth 2.0 access token with the scope \`read\` or \`write\`, as \`Authorization: Bearer <token>\`; bookings belong to whom the token stands for. [Sign in](${publicUrl}/login) to get one to copy, or ask for one as the client of the demo, which does not exist in production: \`curl -u quartet-demo:demo-secret -d grant_type=client_credentials -d 'scope=read write' ${publicUrl}/oauth/token\`. A token that is sent must be good, also where none is needed.

${conventions({
  publicUrl,
  paging:
    'Lists are in `data`, ten to a page unless `limit` asks for up to 100; `links.next` and `links.prev` lead to the pages beside it.',
})}`;

const SCOPES = {
  read: 'See your bookings, their payments and tickets, and your subscriptions.',
  write: 'Make, pay and delete your bookings, and change your subscriptions.',
};

/** What the OpenAPI document says of the service as a whole. */
export const trainDocument = (
  publicUrl: string,
  baseUrl: string,
  issuer: string | undefined,
): OpenApi => ({
  info: {
    title: 'Train Travel API',
    version: '1.0.0',
    description: introduction(publicUrl),
    license: { name: 'CC-BY-NC-SA-4.0', identifier: 'CC-BY-NC-SA-4.0' } as { name: string },
  },
  servers: [{ url: baseUrl, description: 'This server' }],
  tags: [
    {
      name: 'Stations',
      description:
        'Find and filter train stations across Europe, with their places and local timezones.',
    },
    { name: 'Trips', description: 'Timetables between stations, with prices and free seats.' },
    {
      name: 'Bookings',
      description: 'Hold a seat on a trip, look it up, give it back, and get its ticket.',
    },
    {
      name: 'Payments',
      description:
        'Pay for a booking by card or bank account, and see what became of each attempt.',
    },
    webhookTag(
      'newBooking',
      'Hear of a booking (`newBooking`) as soon as it is made: of your own, or of all where the operator has given your client the scope `bookings:all`.',
    ),
  ],
  webhooks: webhookDocument('newBooking', {
    summary: 'A booking was made',
    description:
      'Sent when a booking is made by the same subject as the subscription, or by anybody where its client has the scope `bookings:all`.',
    status: 200,
    schema: 'Booking',
    security: [{ OAuth2: [] }],
    example: {
      name: 'booked',
      summary: 'A seat is held',
      value: exampleBooking(baseUrl),
    },
  }),
  components: {
    securitySchemes: {
      OAuth2: oauthScheme({
        publicUrl,
        issuer,
        scopes: SCOPES,
        description:
          'OAuth 2.0: send the access token as `Authorization: Bearer <token>`. A person gets one by authorization code with PKCE (S256), a program by client credentials.',
      }),
    },
  },
});
