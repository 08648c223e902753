import { conventions } from '../platform/documents/conventions.ts';
import { oauthScheme } from '../platform/documents/oauth-scheme.ts';
import type { OpenApi } from '../platform/documents/documents.ts';

const SCOPES = {
  'write:pets': 'Add, change and delete pets, and upload their pictures.',
  'read:pets': 'See the pets.',
};

const introduction = (
  publicUrl: string,
  baseUrl: string,
) => `A store for pets: animals with their pictures, orders for them, and users who log in. It is the API that most OpenAPI tools are tried with, and this one is real: what you add is there afterwards, images are stored and served, and wrong credentials are refused.

Clients of the published service work unchanged: it is also at \`${publicUrl}/api/v3\`, and \`/pet\` is \`/pets\`, under either base. Ten pets, three orders and ten users are there to begin with.

## Credentials

- **Pets** take an access token with the scope \`read:pets\` or \`write:pets\`, or an API key in the header \`api_key\`; the **inventory** takes a key only. [Sign in](${publicUrl}/login) to get a token, or ask for one as the client of the demo: \`curl -u quartet-demo:demo-secret -d grant_type=client_credentials -d 'scope=read:pets write:pets' ${publicUrl}/oauth/token\`. The key of the demo is \`special-key\`; others are made by the operator, with \`quartet keys add petstore <name>\`.
- **Users** log in with [GET /user/login](${baseUrl}/user/login?username=user1&password=demo), such as \`user1\` with \`demo\`, and change nobody but themselves. Anybody may make users, by \`POST /user/createWithList\`.
- **Orders** and reading a user are open to everybody. Credentials that are sent must be good, also where none are needed. The demo's do not exist in production.

## Formats

Bodies are JSON, XML or a form, answers JSON or XML, as \`Content-Type\` and \`Accept\` say; each format is held to the same schema. In a form, an array is a repeated parameter (\`photoUrls=a&photoUrls=b\`), and a member of a member has a dot (\`category.name=Dogs\`, \`tags[0].name=tag1\`).

${conventions({
  publicUrl,
  paging:
    'Lists of pets come in pages of 100; `limit` asks for fewer, and the header `Link` (RFC 8288) leads to the next and the previous page.',
  hasXml: true,
})}`;

/** What the OpenAPI document says of the service as a whole. */
export const petstoreDocument = (
  publicUrl: string,
  basePath: string,
  sessionCookie: string,
  issuer: string | undefined,
): OpenApi => ({
  info: {
    title: 'Petstore',
    version: '1.0.20-SNAPSHOT',
    description: introduction(publicUrl, publicUrl + basePath),
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
      pets_auth: oauthScheme({
        publicUrl,
        issuer,
        scopes: SCOPES,
        description: `OAuth 2.0: send the access token as \`Authorization: Bearer <token>\`. A person gets one by authorization code with PKCE (S256), most easily at [${publicUrl}/login](${publicUrl}/login); a program by client credentials. It is good for ten minutes.`,
      }),
      api_key: {
        type: 'apiKey',
        in: 'header',
        name: 'api_key',
        description:
          'A key that the operator makes with `quartet keys add petstore <name>`; it stands for both scopes. Outside production `special-key` is one.',
      },
      session: {
        type: 'http',
        scheme: 'bearer',
        description:
          'The token that `GET /user/login` answers behind "logged in user session:". It is good for an hour, or until `GET /user/logout`.',
      },
      session_cookie: {
        type: 'apiKey',
        in: 'cookie',
        name: sessionCookie,
        description:
          'The same token, as the cookie that `GET /user/login` sets; for pages of this origin only.',
      },
    },
  },
});
