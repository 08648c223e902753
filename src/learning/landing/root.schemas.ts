import { Type } from '@sinclair/typebox';

const address = (description: string, path: string) =>
  Type.String({ format: 'uri', description, examples: [`http://127.0.0.1:3000${path}`] });

export const Root = Type.Object(
  {
    name: Type.String({ description: 'Name of the server.', examples: ['Quartet'] }),
    version: Type.String({ description: 'Its version.', examples: ['1.0.0'] }),
    description: Type.String({ description: 'What it is.', examples: ['Four services.'] }),
    services: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of the service.', examples: ['Learning'] }),
        description: Type.String({
          description: 'What it is for.',
          examples: ['Activities in; scores, badges and reports out.'],
        }),
        base: address('What every path of the service stands behind.', ''),
        document: address('Its OpenAPI document.', '/openapi/learning.json'),
        docs: address('Its documentation for people.', '/docs?api=learning'),
      }),
      { description: 'The services of this server.' },
    ),
  },
  { $id: 'Root', description: 'What this server is, and where its services are.' },
);
