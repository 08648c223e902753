import { type Static, Type } from '@sinclair/typebox';

const LINE = '^(?=.*[^\\s\\p{C}])[^\\p{Cc}\\p{Cs}]*$';
const line = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: LINE,
    'x-takes': 'text that is not blank, without control characters',
    description,
  });

const country = Type.String({
  pattern: '^[A-Za-z]{2}$',
  'x-takes': 'an ISO 3166-1 alpha-2 code such as GB',
  description: 'Country, ISO 3166-1 alpha-2.',
  examples: ['GB'],
});

const CURRENCIES = ['bam', 'bgn', 'chf', 'eur', 'gbp', 'nok', 'sek', 'try'];

const Currency = Type.Unsafe<string>({
  type: 'string',
  enum: CURRENCIES,
  description: 'Currency, ISO 4217 in lower case. Every trip is priced in euro.',
  examples: ['eur'],
});

const CardInput = Type.Object(
  {
    object: Type.Optional(Type.Literal('card')),
    name: line(200, "The cardholder's name as it stands on the card."),
    number: Type.String({
      pattern: '^\\d(?:[ -]?\\d){11,18}$',
      'x-takes': 'a card number of 12 to 19 digits',
      writeOnly: true,
      description: 'The card number; only its last four digits are kept.',
      examples: ['4242424242424242'],
    }),
    cvc: Type.String({
      pattern: '^\\d{3,4}$',
      'x-takes': 'three or four digits',
      writeOnly: true,
      description: 'The verification code on the card; never kept.',
      examples: ['123'],
    }),
    exp_month: Type.Integer({ minimum: 1, maximum: 12, description: 'Month of expiry.' }),
    exp_year: Type.Integer({
      minimum: 1970,
      maximum: 9999,
      description: 'Year of expiry, four digits.',
    }),
    address_country: country,
    address_line1: Type.Optional({ ...line(200, 'Street; never kept.'), writeOnly: true }),
    address_line2: Type.Optional({ ...line(200, 'Flat or floor; never kept.'), writeOnly: true }),
    address_city: Type.Optional(line(200, 'City.')),
    address_post_code: Type.Optional(line(20, 'Postcode.')),
  },
  { $id: 'Card', additionalProperties: false, description: 'A card to pay with.' },
);

const BankAccountInput = Type.Object(
  {
    object: Type.Optional(Type.Literal('bank_account')),
    name: line(200, "The account holder's name."),
    number: Type.String({
      pattern: '^[0-9A-Za-z](?:[ -]?[0-9A-Za-z]){5,33}$',
      'x-takes': 'an account number or IBAN of 6 to 34 letters and digits',
      writeOnly: true,
      description: 'Account number or IBAN; only its last four characters are kept.',
      examples: ['00012345'],
    }),
    account_type: Type.Unsafe<'individual' | 'company'>({
      type: 'string',
      enum: ['individual', 'company'],
      description: 'Whose account it is.',
    }),
    bank_name: line(200, 'Name of the bank.'),
    country,
    sort_code: Type.Optional(
      Type.String({
        pattern: '^\\d{2}-?\\d{2}-?\\d{2}$',
        'x-takes': 'six digits such as 00-01-23',
        description: 'Sort code, for accounts in the United Kingdom.',
        examples: ['000123'],
      }),
    ),
  },
  { $id: 'Bank-Account', additionalProperties: false, description: 'A bank account to pay from.' },
);

const ignored = () => Type.Optional(Type.Unknown({ readOnly: true }));

export const NewPayment = Type.Object(
  {
    amount: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1_000_000,
      multipleOf: 0.01,
      description: 'The price of the booking.',
      examples: [49.99],
    }),
    currency: Currency,
    source: Type.Union([CardInput, BankAccountInput], { description: 'What to pay with.' }),
    id: ignored(),
    status: ignored(),
    failure_reason: ignored(),
    links: ignored(),
  },
  { $id: 'New-Payment', additionalProperties: false, description: 'An attempt to pay.' },
);
export type NewPayment = Static<typeof NewPayment>;

export const PaymentSource = Type.Object(
  {
    object: Type.String({ description: 'card or bank_account.' }),
    name: Type.String(),
    number: Type.String({ description: 'All but the last four are masked.' }),
    exp_month: Type.Optional(Type.Integer()),
    exp_year: Type.Optional(Type.Integer()),
    address_country: Type.Optional(Type.String()),
    address_city: Type.Optional(Type.String()),
    address_post_code: Type.Optional(Type.String()),
    account_type: Type.Optional(Type.String()),
    bank_name: Type.Optional(Type.String()),
    country: Type.Optional(Type.String()),
    sort_code: Type.Optional(Type.String()),
  },
  { $id: 'Payment-Source', description: 'What was paid with, masked.' },
);
export type MaskedSource = Static<typeof PaymentSource>;

export const PaymentLinks = Type.Object(
  { booking: Type.String({ format: 'uri', description: 'The booking that is paid for.' }) },
  { $id: 'Links-Booking', readOnly: true, description: 'Where the booking is.' },
);

export const Payment = Type.Object(
  {
    id: Type.String({ format: 'uuid', readOnly: true, description: 'Identifier of the payment.' }),
    amount: Type.Number({ description: 'What was to be paid.' }),
    currency: Type.String({ description: 'Currency, ISO 4217 in lower case.' }),
    source: Type.Unsafe<MaskedSource>(Type.Ref('Payment-Source')),
    status: Type.Unsafe<'pending' | 'succeeded' | 'failed'>({
      type: 'string',
      enum: ['pending', 'succeeded', 'failed'],
      readOnly: true,
      description: 'succeeded: the booking is confirmed; failed: it is still held.',
    }),
    failure_reason: Type.Optional(
      Type.String({ readOnly: true, description: 'Why the payment failed.' }),
    ),
    links: Type.Unsafe<{ booking: string }>(Type.Ref('Links-Booking')),
  },
  { $id: 'Payment', description: 'An attempt to pay for a booking.' },
);
export type Payment = Static<typeof Payment>;

export const PaymentCollection = Type.Object(
  { data: Type.Array(Type.Ref('Payment')), links: Type.Ref('Links-Pagination') },
  { $id: 'Payment-Collection', description: 'The attempts to pay for a booking, newest first.' },
);

const digitsOf = (number: string) => number.replace(/[ -]/g, '');

/** Whether the check digit of a card number is right (ISO/IEC 7812, annex B). */
export function passesLuhn(number: string): boolean {
  const digits = [...digitsOf(number)].reverse().map(Number);
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** What is kept of a source: never the number, the code or the street. */
export function maskSource(source: NewPayment['source']): MaskedSource {
  const number = digitsOf(source.number);
  const masked = '*'.repeat(number.length - 4) + number.slice(-4);
  if ('cvc' in source) {
    const { cvc: _, address_line1: _1, address_line2: _2, ...kept } = source;
    return { ...kept, object: 'card', number: masked };
  }
  return { ...source, object: 'bank_account', number: masked };
}
