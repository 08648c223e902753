import { Type } from '@sinclair/typebox';

const address = (description: string) => Type.String({ format: 'uri', description });

export const Root = Type.Object(
  {
    name: Type.String({ description: 'Name of the server.', examples: ['Quartet'] }),
    version: Type.String({ description: 'Its version.' }),
    description: Type.String({ description: 'What it is.' }),
    services: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of the service.', examples: ['Learning'] }),
        description: Type.String({ description: 'What it is for.' }),
        base: address('What every path of the service stands behind.'),
        document: address('Its OpenAPI document.'),
        docs: address('Its documentation for people.'),
      }),
      { description: 'The services of this server.' },
    ),
  },
  { $id: 'Root', description: 'What this server is, and where its services are.' },
);
