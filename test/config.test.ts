import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ConfigError, ConfigSchema, loadConfig } from '../src/config.ts';

/** The lines of the message that this environment is refused with. */
function refusal(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message.split('\n');
  }
  return [];
}

type Name = keyof typeof ConfigSchema.properties;

/** Values of each variable that it does not take. */
const WRONG: Partial<Record<Name, string[]>> = {
  NODE_ENV: ['prod', 'Production', 'staging'],
  PORT: ['-1', '0', '65536', '80.5', '0x50', 'http', '3000 ', '1e3', '99999999999999999999'],
  PUBLIC_URL: [
    'example.com',
    'https://example.com/',
    'https://example.com/api',
    'https://example.com?a',
    'ftp://example.com',
    'https://exa mple.com',
    'https://',
    'https://example.com:port',
  ],
  TRUST_PROXY: ['yes please', '*', '10.0.0.0/8,', 'true?'],
  DATABASE_URL: ['mysql://localhost/quartet', 'localhost', '/var/lib'],
  DATABASE_POOL_SIZE: ['1', '201', 'ten'],
  DATABASE_TIMEOUT: ['0', '3601', '1.5'],
  LOG_LEVEL: ['verbose', 'INFO'],
  RATE_LIMIT_MAX: ['-1', 'unlimited'],
  RATE_LIMIT_WINDOW: ['0', '1m'],
  BODY_LIMIT: ['0', '64k'],
  SHUTDOWN_SECONDS: ['0', '301'],
  BOOKING_HOLD_SECONDS: ['0', '1h', '3600.5'],
  SWEEP_SECONDS: ['-5', '3601'],
  TIMETABLE_DAYS: ['0', '366'],
  ALLOW_SIGNUP: ['yes', '1', 'TRUE'],
  OAUTH_ISSUER: ['login.example.com', 'http://login.example.com', 'https://login.example.com?a'],
  OAUTH_ALGORITHMS: ['none', 'HS256', 'ES256,', 'es256'],
  OAUTH_TYP: ['at jwt'],
  PASS_CERT: [' '],
  PASS_KEY: ['\t'],
  PASS_WWDR: ['\n'],
  PASS_TYPE_ID: ['com.example.tickets', 'pass.', 'pass.a b'],
  PASS_TEAM_ID: ['A1B2C3D4E', 'a1b2c3d4e5'],
  MUSEUM_TIMEZONE: ['Paris', 'Europe/Nowhere', '+02:00', '../etc/passwd', 'UTC+2'],
  TRAIN_BASE_PATH: ['trains', '/trains/', '/a b', '/a?b', '//a', '/:id', '/*'],
  PETSTORE_BASE_PATH: ['v3'],
  MUSEUM_BASE_PATH: ['/v1.1/'],
  LEARNING_BASE_PATH: ['https://example.com'],
};

describe('a wrong value', () => {
  const cases = Object.entries(WRONG).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );

  it.for(cases)('%s=%s is refused by one line that says what it takes', ([name, value]) => {
    const lines = refusal({ [name]: value });
    expect(lines).toHaveLength(1);
    const { takes } = ConfigSchema.properties[name as Name] as { takes?: string };
    expect(lines[0]).toBe(`${name} takes ${takes}.`);
    expect(takes).toMatch(/^\S.{5,}$/);
  });

  it('is named together with every other, a line each', () => {
    const lines = refusal({ PORT: 'x', LOG_LEVEL: 'loud', SWEEP_SECONDS: '-1', HOST: '::1' });
    expect(lines.map((line) => line.split(' ', 1)[0])).toEqual([
      'PORT',
      'LOG_LEVEL',
      'SWEEP_SECONDS',
    ]);
  });

  it('is not repeated: it can hold a password', () => {
    expect(refusal({ DATABASE_URL: 'mysql://root:hunter2@db' }).join()).not.toContain('hunter2');
  });
});

describe('what is not set', () => {
  it('has its documented default', () => {
    expect(loadConfig({})).toMatchObject({
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: 3000,
      PUBLIC_URL: 'http://127.0.0.1:3000',
      DATA_DIR: './data',
      RATE_LIMIT_MAX: 6000,
      RATE_LIMIT_WINDOW: 60,
      SHUTDOWN_SECONDS: 10,
      BOOKING_HOLD_SECONDS: 3600,
      TIMETABLE_DAYS: 60,
      ALLOW_SIGNUP: true,
      OAUTH_ALGORITHMS: 'ES256,RS256',
      OAUTH_TYP: 'at+jwt',
      OAUTH_SCOPE_CLAIM: 'scope',
      TRAIN_BASE_PATH: '',
      PETSTORE_BASE_PATH: '/v3',
      MUSEUM_BASE_PATH: '',
      LEARNING_BASE_PATH: '',
    });
    for (const name of ['DATABASE_URL', 'TRUST_PROXY'])
      expect(loadConfig({})).not.toHaveProperty(name);
  });

  it('is also what is empty', () => {
    const empty = Object.fromEntries(
      Object.keys(ConfigSchema.properties).map((name) => [name, '']),
    );
    expect(loadConfig(empty)).toEqual(loadConfig({}));
  });

  it('is no matter of variables that are not ours', () => {
    expect(loadConfig({ PATH: '/bin', RATE_LIMIT: '1' })).toEqual(loadConfig({}));
  });
});

describe('PUBLIC_URL', () => {
  it('is the address that is listened on, unless it is given', () => {
    expect(loadConfig({ PORT: '8080' }).PUBLIC_URL).toBe('http://127.0.0.1:8080');
    const PUBLIC_URL = 'https://api.example.com:8443';
    expect(loadConfig({ PORT: '8080', PUBLIC_URL }).PUBLIC_URL).toBe(PUBLIC_URL);
  });
});

describe('values at the edge', () => {
  it.for<[Name, string, unknown]>([
    ['PORT', '1', 1],
    ['PORT', '65535', 65_535],
    ['RATE_LIMIT_MAX', '0', 0],
    ['SWEEP_SECONDS', '0', 0],
    ['PUBLIC_URL', 'http://[::1]:3000', 'http://[::1]:3000'],
    ['PETSTORE_BASE_PATH', '/', ''],
    ['TRAIN_BASE_PATH', '/v1.1/trains', '/v1.1/trains'],
    ['TRUST_PROXY', 'loopback,10.0.0.0/8,fd00::/8', 'loopback,10.0.0.0/8,fd00::/8'],
    ['DATABASE_URL', 'postgres://db/q', 'postgres://db/q'],
    ['DATA_DIR', 'memory://', 'memory://'],
  ])('%s=%s is taken', ([name, value, parsed]) => {
    expect(loadConfig({ [name]: value })[name]).toBe(parsed);
  });
});

describe('the table of the README', () => {
  const rows = () => readFileSync(new URL('../README.md', import.meta.url), 'utf8').split('\n');

  it.for(Object.entries(ConfigSchema.properties))('has %s with its default', ([name, schema]) => {
    const row = rows().find((line) => line.startsWith(`| \`${name}\` |`));
    expect(row).toBeDefined();
    const { default: fallback } = schema as { default?: string | number };
    if (fallback !== undefined && fallback !== '') expect(row).toContain(`${fallback}`);
  });
});
