import type { OpenApi } from '../platform/documents/documents.ts';
import { conventions } from '../platform/documents/conventions.ts';
import { webhookDocument, webhookTag } from '../webhooks/document.ts';
import { EXAMPLE_EVENTS } from './seed/examples.ts';

const introduction = (
  publicUrl: string,
) => `An imaginary museum: when it is open, which special events it holds, and tickets for both. \`POST /tickets\` sells one to anybody; its \`ticketId\` is all that it takes to show the ticket at the door, as a page, as a signed pass for a wallet that works offline, or, for the time being, as a QR code. Staff plan, change and cancel events: a ticket for an event that is not held any more is void.

## Credentials

Hours, buying, and a ticket that one knows are open to everybody. Special events, the list of all tickets, and subscriptions are for the staff, by HTTP Basic. The staff of the demo is \`curator\` with the password \`demo\`, who does not exist in production; the operator adds others with \`quartet staff add <name>\`. Credentials that are sent must be good, also where none are needed.

${conventions({
  publicUrl,
  paging:
    'Lists are arrays of ten, or of up to 30 as `limit` says; the header `Link` (RFC 8288) leads to the next and the previous page.',
})}`;

/** What the service says in a problem that has the words of another in general. */
export const MUSEUM_DETAILS = {
  unauthorized: 'This operation is for the staff of the museum; send credentials.',
  'not-found': 'There is no special event 0194a1f0-7a00-7000-8000-000000000000.',
};

/** What the OpenAPI document says of the service as a whole. */
export const museumDocument = (publicUrl: string, url: string): OpenApi => ({
  info: {
    title: 'Museum API',
    version: '1.2.1',
    description: introduction(publicUrl),
    license: { name: 'MIT', identifier: 'MIT' } as { name: string },
  },
  servers: [{ url, description: 'This server' }],
  tags: [
    { name: 'Operations', description: 'When the museum is open, from today or a date on.' },
    { name: 'Events', description: 'Special events of the museum; for its staff.' },
    {
      name: 'Tickets',
      description:
        'Tickets for the museum or for one of its events, to buy, to show and to keep in a wallet.',
    },
    webhookTag(
      'publishNewEvent',
      'Hear of a special event (`publishNewEvent`) when it is planned and when it is changed.',
    ),
  ],
  webhooks: webhookDocument('publishNewEvent', {
    summary: 'A special event was published',
    description: 'Sent when a special event is made, and when it is changed.',
    status: 202,
    schema: 'SpecialEvent',
    example: {
      name: 'published',
      summary: 'A new event',
      value: EXAMPLE_EVENTS[0],
    },
  }),
  components: {
    securitySchemes: {
      MuseumPlaceholderAuth: {
        type: 'http',
        scheme: 'basic',
        description: 'Name and password of a member of the staff, as HTTP Basic credentials.',
      },
    },
  },
});
