import { FormatRegistry, type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** What a variable takes, in words: shown in README's table and in the message of a wrong value. */
const takes = (text: string) => ({ takes: text });

const whole = (minimum: number, maximum: number, fallback: number, description: string) =>
  Type.Integer({
    minimum,
    maximum,
    default: fallback,
    description,
    ...takes(`a whole number from ${minimum} to ${maximum}`),
  });

const basePath = (fallback: string, service: string) =>
  Type.String({
    pattern: '^(/|(/[A-Za-z0-9._~-]+)+)$',
    default: fallback,
    description: `Where the ${service} service is mounted`,
    ...takes('/ or a path such as /v1.1 that does not end in a slash'),
  });

const toggle = (description: string) => Type.Boolean({ description, ...takes('true or false') });

const choice = <T extends string>(values: T[], fallback: NoInfer<T>, description: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { default: fallback, description, ...takes(`one of ${values.join(', ')}`) },
  );

const PAUSE = '\\d{1,6}(\\.\\d{1,3})?(ms|s|m|h|d)?';
const OCTET = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const NETWORK = `(${OCTET}(\\.${OCTET}){3}/(3[0-2]|[12]?\\d)|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*/(12[0-8]|1[01]\\d|\\d{1,2}))`;
const pem = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '\\S',
      description,
      ...takes('PEM text (line breaks may be written as \\n) or the name of a file'),
    }),
  );

FormatRegistry.Set('timezone', (name) => {
  // Node takes offsets such as +02:00 too; they are no timezone, since they know no summer.
  if (/^[+-]/.test(name)) return false;
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
});

const ALGORITHM = '((ES|PS|RS)(256|384|512)|EdDSA)';

/** Every variable that Quartet reads; a member without a default is optional. */
export const ConfigSchema = Type.Object({
  NODE_ENV: choice(
    ['development', 'test', 'production'],
    'development',
    'production has no demo accounts and wants its own secrets',
  ),
  HOST: Type.String({
    minLength: 1,
    default: '127.0.0.1',
    description: 'Address to listen on',
    ...takes('a host name or IP address'),
  }),
  PORT: whole(1, 65_535, 3000, 'Port to listen on'),
  PUBLIC_URL: Type.String({
    pattern: '^https?://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?$',
    default: '',
    description: 'Base of every absolute link, and the OAuth issuer; default http://127.0.0.1:PORT',
    ...takes('an http or https origin without a path, such as https://api.example.com'),
  }),
  TRUST_PROXY: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Za-z.:/]+(,[0-9A-Za-z.:/]+)*$',
      description: 'Proxies in front whose X-Forwarded-For is believed',
      ...takes('addresses or networks such as loopback,10.0.0.0/8'),
    }),
  ),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description: 'PostgreSQL 15 or later; without it the embedded engine is used',
      ...takes('a URL such as postgresql://user:password@host:5432/quartet'),
    }),
  ),
  DATABASE_POOL_SIZE: whole(
    2,
    200,
    20,
    'Connections to PostgreSQL for transactions; eight more serve single statements',
  ),
  DATABASE_TIMEOUT: whole(1, 3600, 30, 'Seconds that PostgreSQL may take to answer a statement'),
  DATA_DIR: Type.String({
    minLength: 1,
    default: './data',
    description: 'Directory of the embedded engine',
    ...takes('a path, or memory:// for a database that ends with the process'),
  }),
  LOG_LEVEL: choice(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'info',
    'Least severe level that is logged',
  ),
  RATE_LIMIT_MAX: whole(
    0,
    1_000_000_000,
    6000,
    'Requests a window and caller; 0 turns the limit off',
  ),
  RATE_LIMIT_WINDOW: whole(1, 86_400, 60, 'Seconds a rate limit window lasts'),
  BODY_LIMIT: whole(
    1024,
    10_485_760,
    65_536,
    'Largest request body, in bytes; an uploaded image may have ten MiB',
  ),
  SHUTDOWN_SECONDS: whole(1, 300, 10, 'Longest graceful stop'),
  BOOKING_HOLD_SECONDS: whole(1, 31_536_000, 3600, 'How long an unpaid booking keeps its seat'),
  SWEEP_SECONDS: whole(0, 3600, 5, 'Pause between two runs of the expiry sweeper; 0 turns it off'),
  TIMETABLE_DAYS: whole(1, 365, 60, 'Days ahead for which dated trips exist'),
  WEBHOOK_RETRY_SCHEDULE: Type.String({
    pattern: `^${PAUSE}(,${PAUSE})*$`,
    default: '5s,5m,30m,2h,5h,10h,14h,20h,24h',
    description: 'Pauses before the retries of a webhook delivery; each comes up to 20 % off',
    ...takes('durations such as 5s,5m,2h, in ms, s, m, h or d'),
  }),
  WEBHOOK_TIMEOUT: whole(1, 30, 15, 'Seconds until a receiver must have answered in full'),
  WEBHOOK_RETENTION_DAYS: whole(1, 3650, 30, 'Days that webhook deliveries are kept'),
  WEBHOOK_ALLOWED_NETWORKS: Type.Optional(
    Type.String({
      pattern: `^${NETWORK}(,${NETWORK})*$`,
      description: 'Networks that webhooks may go to though they are not public',
      ...takes('networks such as 10.0.0.0/8,fd00::/8'),
    }),
  ),
  ALLOW_SIGNUP: toggle('Anybody may create an account; default true outside production'),
  OAUTH_ISSUER: Type.Optional(
    Type.String({
      pattern:
        '^(https://[^/?#\\s]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^?#\\s]*)?$',
      description: 'An OpenID provider whose tokens are taken instead of our own',
      ...takes('its issuer to the letter, such as https://login.example.com/'),
    }),
  ),
  OAUTH_AUDIENCE: Type.Optional(
    Type.String({
      description: 'What OAUTH_ISSUER names this server in `aud`; default PUBLIC_URL',
      ...takes('an identifier, most often a URL'),
    }),
  ),
  OAUTH_ALGORITHMS: Type.String({
    pattern: `^${ALGORITHM}(,${ALGORITHM})*$`,
    default: 'ES256,RS256',
    description: 'Signature algorithms of OAUTH_ISSUER',
    ...takes('some of ES256, ES384, ES512, PS256, PS384, PS512, RS256, RS384, RS512, EdDSA'),
  }),
  OAUTH_TYP: Type.String({
    pattern: '^[\\w+/.-]+$',
    default: 'at+jwt',
    description: 'Type that tokens of OAUTH_ISSUER have in their header; for many providers JWT',
    ...takes('a media type such as at+jwt, or JWT'),
  }),
  OAUTH_SCOPE_CLAIM: Type.String({
    minLength: 1,
    default: 'scope',
    description: 'Claim of OAUTH_ISSUER that holds the scopes, as text or a list',
    ...takes('the name of a claim, such as scp or permissions'),
  }),
  PASS_CERT: pem('Certificate from Apple that signs wallet passes; without it one for development'),
  PASS_KEY: pem('Private key of PASS_CERT'),
  PASS_WWDR: pem("Apple's certificate that issued PASS_CERT"),
  PASS_TYPE_ID: Type.Optional(
    Type.String({
      pattern: '^pass\\.[\\w.-]+$',
      description: 'Pass type that PASS_CERT must be for; a check only',
      ...takes('an identifier such as pass.com.example.tickets'),
    }),
  ),
  PASS_TEAM_ID: Type.Optional(
    Type.String({
      pattern: '^[A-Z0-9]{10}$',
      description: 'Team that PASS_CERT must be for; a check only',
      ...takes('ten letters and digits such as A1B2C3D4E5'),
    }),
  ),
  MUSEUM_TIMEZONE: Type.String({
    format: 'timezone',
    default: 'America/New_York',
    description: "The museum's own clock and calendar, for its hours and the dates of its tickets",
    ...takes('an IANA timezone such as Europe/Paris'),
  }),
  TRAIN_BASE_PATH: basePath('/', 'train'),
  PETSTORE_BASE_PATH: basePath('/v3', 'petstore'),
  MUSEUM_BASE_PATH: basePath('/', 'museum'),
  LEARNING_BASE_PATH: basePath('/', 'learning'),
});

export type Config = Static<typeof ConfigSchema>;

/** Wrong configuration: one line a variable, each naming it and what it takes. */
export class ConfigError extends Error {}

/** Reads `text` as what `schema` wants; text that does not fit stays text, and fails the check. */
function parse(schema: TSchema, text: string): unknown {
  if (schema['type'] === 'integer') return /^-?\d+$/.test(text) ? Number(text) : text;
  if (schema['type'] === 'boolean') return { true: true, false: false }[text] ?? text;
  return text;
}

/** Pure: environment in, configuration out. An empty variable counts as not set. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const config: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, schema] of Object.entries<TSchema>(ConfigSchema.properties)) {
    const text = env[name];
    const value = text === undefined || text === '' ? schema.default : parse(schema, text);
    if (value === undefined || (name === 'PUBLIC_URL' && value === '')) continue;
    // A connection string holds a password: the message shows no value.
    if (Value.Check(schema, value)) config[name] = value;
    else faults.push(`${name} takes ${schema['takes']}.`);
  }
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  config['ALLOW_SIGNUP'] ??= config['NODE_ENV'] !== 'production';
  config['PUBLIC_URL'] ??= `http://127.0.0.1:${config['PORT']}`;
  // A base path is what stands before every path: nothing, for services at the root.
  for (const name of Object.keys(config))
    if (name.endsWith('_BASE_PATH') && config[name] === '/') config[name] = '';
  return config as Config;
}
