import { randomBytes } from 'node:crypto';
import type { TicketType } from './tickets.schemas.ts';

/** 32 characters without those that are taken for one another: no 0 and o, no 1 and l. */
const ALPHABET = '23456789abcdefghijkmnpqrstuvwxyz';

/** `ticket-event-a98c8f-7eb2k`: 55 random bits, to be read to somebody over the phone. */
export function newConfirmationCode(type: TicketType): string {
  const code = Array.from(randomBytes(11), (byte) => ALPHABET[byte & 31]).join('');
  return `ticket-${type}-${code.slice(0, 6)}-${code.slice(6)}`;
}
