import { createHmac, randomBytes } from 'node:crypto';

/** Bytes of a secret; Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;

export const newSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** The secret as subscribers know it: `whsec_` and Base64. */
export const showSecret = (secret: Buffer): string => `whsec_${secret.toString('base64')}`;

/**
 * The headers of Standard Webhooks for `body`: one signature a secret, so that a receiver can go
 * from one secret to the next. `seconds` since 1970 is when it is sent.
 */
export function signatureHeaders(
  id: string,
  seconds: number,
  body: string,
  secrets: readonly Buffer[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const content = `${id}.${seconds}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}
