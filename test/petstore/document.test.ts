import { describe, expect, it } from 'vitest';
import { buildDocuments } from '../../src/openapi.ts';

const document = JSON.parse((await buildDocuments()).get('petstore.json') ?? '');
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, ...operation })),
);

interface Operation {
  operationId: string;
  tags: string[];
  security: object[];
  requestBody?: Body;
  responses: Record<string, Body>;
}

interface Body {
  content?: Record<string, { examples?: Record<string, { value: unknown }> }>;
}

const BEARER = (scope: string) => [{ pets_auth: [scope] }, { api_key: [] }];
const SESSION = [{ session: [] }, { session_cookie: [] }];

describe('the document of the petstore', () => {
  it('has every operation, and what each asks for', () => {
    const found = operations.map(({ method, path, operationId, security, tags }) => [
      `${method} ${path}`,
      operationId,
      tags.join(),
      security,
    ]);
    expect(found).toEqual([
      ['post /pets', 'addPet', 'pets', BEARER('write:pets')],
      ['put /pets', 'updatePet', 'pets', BEARER('write:pets')],
      ['get /pets/findByStatus', 'findPetsByStatus', 'pets', BEARER('read:pets')],
      ['get /pets/findByTags', 'findPetsByTags', 'pets', BEARER('read:pets')],
      ['get /pets/{petId}', 'getPetById', 'pets', BEARER('read:pets')],
      ['post /pets/{petId}', 'updatePetWithForm', 'pets', BEARER('write:pets')],
      ['delete /pets/{petId}', 'deletePet', 'pets', BEARER('write:pets')],
      ['post /pets/{petId}/uploadImage', 'uploadFile', 'pets', BEARER('write:pets')],
      ['get /pets/{petId}/images/{imageId}', 'getImage', 'pets', []],
      ['get /store/inventory', 'getInventory', 'store', [{ api_key: [] }]],
      ['post /store/order', 'placeOrder', 'store', []],
      ['get /store/order/{orderId}', 'getOrderById', 'store', []],
      ['delete /store/order/{orderId}', 'deleteOrder', 'store', []],
      ['get /user/login', 'loginUser', 'user', []],
      ['get /user/logout', 'logoutUser', 'user', SESSION],
      ['post /user', 'createUser', 'user', SESSION],
      ['post /user/createWithList', 'createUsersWithListInput', 'user', []],
      ['get /user/{username}', 'getUserByName', 'user', []],
      ['put /user/{username}', 'updateUser', 'user', SESSION],
      ['delete /user/{username}', 'deleteUser', 'user', SESSION],
    ]);
  });

  it('names the licence, the tags and the schemes', () => {
    expect(document.info.license.name).toBe('Apache 2.0');
    expect(document.tags.map(({ name }: { name: string }) => name)).toEqual([
      'pets',
      'store',
      'user',
    ]);
    const { pets_auth, api_key } = document.components.securitySchemes;
    expect(Object.keys(pets_auth.flows.authorizationCode.scopes)).toEqual([
      'write:pets',
      'read:pets',
    ]);
    expect(api_key).toMatchObject({ type: 'apiKey', in: 'header', name: 'api_key' });
  });

  it('shows every format as it is sent', () => {
    const media = operations.flatMap(({ requestBody = {}, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap(({ content = {} }) =>
        Object.entries(content),
      ),
    );
    const values = media.flatMap(([type, { examples = {} }]) =>
      Object.values(examples).map(({ value }) => [type, value] as const),
    );
    const isXml = (value: unknown) => typeof value === 'string' && /^<\?xml .*\?>\n<\w/.test(value);
    for (const [type, value] of values) expect(isXml(value), type).toBe(type === 'application/xml');
    expect(new Set(values.map(([type]) => type))).toEqual(
      new Set([
        'application/json',
        'application/xml',
        'application/x-www-form-urlencoded',
        'application/problem+json',
      ]),
    );
  });

  it('says that images are bytes', () => {
    const { uploadFile, getImage } = Object.fromEntries(
      operations.map((operation) => [operation.operationId, operation]),
    );
    const bytes = { type: 'string', format: 'binary', contentMediaType: expect.any(String) };
    expect(uploadFile?.requestBody?.content).toMatchObject({
      'application/octet-stream': { schema: bytes },
      'multipart/form-data': { schema: { type: 'object', properties: { file: bytes } } },
    });
    for (const status of ['200', '206'])
      for (const [type, media] of Object.entries(getImage?.responses[status]?.content ?? {}))
        expect(media).toEqual({ schema: { ...bytes, contentMediaType: type } });
  });

  it('lets no answer have a password', () => {
    const { User } = document.components.schemas;
    expect(Object.keys(User.properties)).not.toContain('password');
    for (const { responses } of operations)
      expect(JSON.stringify(responses)).not.toContain('New-User');
  });
});
