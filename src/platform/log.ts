import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

/** Whatever a log line holds under these names is not for the log. */
const SECRETS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'number',
  'cvc',
  'api_key',
];

/** JSON lines with the time in RFC 3339, buffered unless `sync`; secrets are redacted. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '…' },
      serializers: { err: serializeError },
    },
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 500 }),
  );
}

/**
 * Message, stack and SQLSTATE. What else a database error has, its `detail` above all, can hold
 * values of the row.
 */
function serializeError(error: Error): object {
  const { type, message, stack } = stdSerializers.err(error);
  const { code } = error as { code?: unknown };
  return { type, message, stack, ...(typeof code === 'string' && { code }) };
}
