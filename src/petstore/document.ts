import type { OpenApi } from '../platform/documents/documents.ts';

const SCOPES = {
  'write:pets': 'Modify pets in your account.',
  'read:pets': 'Read your pets.',
};

/** What the OpenAPI document says of the service as a whole. */
export const petstoreDocument = (
  publicUrl: string,
  basePath: string,
  sessionCookie: string,
): OpenApi => ({
  info: {
    title: 'Petstore',
    version: '1.0.20-SNAPSHOT',
    description:
      'A store for pets: the animals and their pictures, orders for them, and users who log in. Bodies are JSON, XML or forms, answers JSON or XML, as Content-Type and Accept say. In a form, an array is a repeated parameter (`photoUrls=a&photoUrls=b`), a member of a member has a dot (`category.name=Dogs`, `tags[0].name=tag1`).',
    license: { name: 'Apache 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0.html' },
  },
  servers: [{ url: publicUrl + basePath, description: 'This server' }],
  tags: [
    {
      name: 'pets',
      description: 'Everything about pets: add, update, find, delete, upload an image.',
    },
    { name: 'store', description: 'Access to orders and an inventory count.' },
    { name: 'user', description: 'Operations about users, including login and logout.' },
  ],
  components: {
    securitySchemes: {
      pets_auth: {
        type: 'oauth2',
        description: 'OAuth 2.0; the access token is sent as a bearer token.',
        flows: {
          authorizationCode: {
            authorizationUrl: `${publicUrl}/oauth/authorize`,
            tokenUrl: `${publicUrl}/oauth/token`,
            refreshUrl: `${publicUrl}/oauth/token`,
            scopes: SCOPES,
          },
          clientCredentials: { tokenUrl: `${publicUrl}/oauth/token`, scopes: SCOPES },
        },
      },
      api_key: {
        type: 'apiKey',
        in: 'header',
        name: 'api_key',
        description: 'A key that the operator made.',
      },
      session: {
        type: 'http',
        scheme: 'bearer',
        description: 'The token that GET /user/login answered.',
      },
      session_cookie: {
        type: 'apiKey',
        in: 'cookie',
        name: sessionCookie,
        description: 'The same token, as the cookie that GET /user/login set.',
      },
    },
  },
});
