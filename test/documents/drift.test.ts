import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildDocuments } from '../../src/openapi.ts';
import { startApp } from '../harness.ts';

/** What every service with an event has, in its own spelling. */
const WEBHOOKS = [
  'create-subscription',
  'delete-subscription',
  'get-deliveries',
  'get-delivery',
  'get-subscription',
  'get-subscriptions',
  'recover-deliveries',
  'redeliver-delivery',
  'rotate-subscription-secret',
  'test-subscription',
  'update-subscription',
];
const camelCase = (kebab: string) => kebab.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

describe('the OpenAPI documents', () => {
  it('are checked in as the code describes itself; run "npm run openapi" where this fails', async () => {
    for (const [file, text] of await buildDocuments())
      expect(readFileSync(`openapi/${file}`, 'utf8'), file).toBe(text);
  });

  it('are served as they are checked in, for the address of this server', async () => {
    await using t = await startApp({ env: { TRAIN_BASE_PATH: '/trains' } });
    const answer = await t.inject({ url: '/openapi/train.json' });
    expect(answer.statusCode).toBe(200);
    const document = answer.json();
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers[0].url).toBe('http://127.0.0.1:3000/trains');
    expect(Object.keys(document.paths)).toContain('/bookings/{bookingId}/payment');
    expect((await t.inject({ url: '/openapi/train.yaml' })).headers['content-type']).toMatch(
      /^application\/yaml/,
    );
    for (const file of ['other.json', 'train.xml', '__proto__.json'])
      expect((await t.inject({ url: `/openapi/${file}` })).statusCode).toBe(404);
  });

  it.each([
    [
      'train',
      [
        'create-booking',
        'create-booking-payment',
        'delete-booking',
        'get-booking',
        'get-booking-payments',
        'get-booking-ticket',
        'get-bookings',
        'get-station',
        'get-stations',
        'get-trip',
        'get-trips',
        ...WEBHOOKS,
      ],
    ],
    [
      'museum',
      [
        'buyMuseumTickets',
        'createSpecialEvent',
        'deleteSpecialEvent',
        'getMuseumHours',
        'getPkpass',
        'getSpecialEvent',
        'getTicket',
        'getTicketCode',
        'listSpecialEvents',
        'listTickets',
        'updateSpecialEvent',
        ...WEBHOOKS.map(camelCase),
      ],
    ],
  ])('of %s names each operation once, by its operationId', async (service, names) => {
    const document = JSON.parse((await buildDocuments()).get(`${service}.json`) ?? '');
    const operations = Object.values<Record<string, { operationId: string }>>(
      document.paths,
    ).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(operations.toSorted()).toEqual(names.toSorted());
  });

  it('leads to the issuer of tokens, where that is another', async () => {
    const env = { OAUTH_ISSUER: 'https://login.example.com/' };
    await using t = await startApp({ env });
    for (const [service, name] of [
      ['train', 'OAuth2'],
      ['petstore', 'pets_auth'],
    ] as const) {
      const document = (await t.inject({ url: `/openapi/${service}.json` })).json();
      expect(document.components.securitySchemes[name]).toMatchObject({
        type: 'openIdConnect',
        openIdConnectUrl: 'https://login.example.com/.well-known/openid-configuration',
      });
    }
  });

  it('of museum says what is for its staff', async () => {
    const document = JSON.parse((await buildDocuments()).get('museum.json') ?? '');
    expect(document.info).toMatchObject({ version: '1.2.1', license: { name: 'MIT' } });
    for (const [path, operations] of Object.entries<object>(document.paths))
      for (const [method, { security }] of Object.entries(operations)) {
        const isForStaff =
          /^\/(special-events|webhooks)/.test(path) || (path === '/tickets' && method === 'get');
        expect(security, `${method} ${path}`).toEqual(
          isForStaff ? [{ MuseumPlaceholderAuth: [] }] : [],
        );
      }
  });
});
