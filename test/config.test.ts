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

/** Values of each variable that it does not take. */
const WRONG: Record<keyof typeof ConfigSchema.properties, string[]> = {
  NODE_ENV: ['prod', 'Production', 'staging'],
  HOST: [],
  PORT: ['-1', '65536', '80.5', '0x50', 'http', '3000 ', '1e3', '99999999999999999999'],
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
  DATA_DIR: [],
  LOG_LEVEL: ['verbose', 'INFO'],
  RATE_LIMIT_MAX: ['-1', 'unlimited'],
  RATE_LIMIT_WINDOW: ['0', '1m'],
  BODY_LIMIT: ['0', '64k'],
  SHUTDOWN_SECONDS: ['0', '301'],
  BOOKING_HOLD_SECONDS: ['0', '1h', '3600.5'],
  SWEEP_SECONDS: ['-5', '3601'],
  TIMETABLE_DAYS: ['0', '366'],
  TRAIN_BASE_PATH: ['trains', '/trains/', '/', '/a b', '/a?b', '//a', '/:id', '/*'],
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
    const schema: { takes?: string } = ConfigSchema.properties[name as keyof typeof WRONG];
    expect(lines[0]).toBe(`${name} takes ${schema.takes}.`);
    expect(schema.takes).toMatch(/^\w.{5,}$/);
  });

  it('is named together with every other, a line each', () => {
    const lines = refusal({ PORT: 'x', LOG_LEVEL: 'loud', SWEEP_SECONDS: '-1', HOST: '::1' });
    expect(lines.map((line) => line.split(' ', 1)[0]).sort()).toEqual([
      'LOG_LEVEL',
      'PORT',
      'SWEEP_SECONDS',
    ]);
  });

  it('is not repeated: it can hold a password', () => {
    expect(refusal({ DATABASE_URL: 'mysql://root:hunter2@db' }).join()).not.toContain('hunter2');
  });
});

describe('what is not set', () => {
  it('has the default that the schema says', () => {
    expect(loadConfig({})).toEqual({
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: 3000,
      PUBLIC_URL: 'http://127.0.0.1:3000',
      DATABASE_POOL_SIZE: 10,
      DATA_DIR: './data',
      LOG_LEVEL: 'info',
      RATE_LIMIT_MAX: 6000,
      RATE_LIMIT_WINDOW: 60,
      BODY_LIMIT: 65_536,
      SHUTDOWN_SECONDS: 10,
      BOOKING_HOLD_SECONDS: 3600,
      SWEEP_SECONDS: 5,
      TIMETABLE_DAYS: 60,
      TRAIN_BASE_PATH: '',
      PETSTORE_BASE_PATH: '/v3',
      MUSEUM_BASE_PATH: '',
      LEARNING_BASE_PATH: '',
    });
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
  it.for<[keyof typeof WRONG, string, unknown]>([
    ['PORT', '0', 0],
    ['PORT', '65535', 65_535],
    ['RATE_LIMIT_MAX', '0', 0],
    ['SWEEP_SECONDS', '0', 0],
    ['PUBLIC_URL', 'http://[::1]:3000', 'http://[::1]:3000'],
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
