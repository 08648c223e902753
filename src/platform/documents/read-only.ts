import { type TSchema, Type } from '@sinclair/typebox';

/**
 * A read-only member in a body that is sent: it may come back as it was answered, or be anything
 * else; it is ignored. The document shows it as it is `answered`.
 */
export const ignored = (answered: TSchema) =>
  Type.Optional(Type.Unknown({ readOnly: true, 'x-answered': answered }));
