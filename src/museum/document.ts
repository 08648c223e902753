import type { OpenApi } from '../platform/documents/documents.ts';
import { webhookDocument } from '../webhooks/document.ts';
import { EXAMPLE_EVENTS } from './seed/examples.ts';

/** What the OpenAPI document says of the service as a whole. */
export const museumDocument = (url: string): OpenApi => ({
  info: {
    title: 'Museum API',
    version: '1.2.1',
    description:
      'An imaginary museum: when it is open, its special events, and tickets that go into a wallet.',
    license: { name: 'MIT', identifier: 'MIT' } as { name: string },
  },
  servers: [{ url, description: 'This server' }],
  tags: [
    { name: 'Operations', description: 'When the museum is open.' },
    { name: 'Events', description: 'Special events of the museum; for its staff.' },
    { name: 'Tickets', description: 'Tickets for the museum, or for one of its events.' },
    {
      name: 'Webhooks',
      description:
        'Have new and changed events sent to you: signed by Standard Webhooks, retried for three days, each attempt in a log.',
    },
  ],
  webhooks: webhookDocument('publishNewEvent', {
    summary: 'A special event was published',
    description: 'Sent when a special event is made, and when it is changed.',
    tag: 'Webhooks',
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
