import { Type } from '@sinclair/typebox';

/** What payments can be in; it has a name of its own, so that what one operation answers fits the next. */
export const CurrencySchema = Type.Unsafe<string>({
  $id: 'Currency',
  type: 'string',
  enum: ['bam', 'bgn', 'chf', 'eur', 'gbp', 'nok', 'sek', 'try'],
  description: 'ISO 4217 in lower case. Every trip is priced in euro.',
  examples: ['eur'],
});

export const Currency = Type.Unsafe<string>(Type.Ref('Currency'));
