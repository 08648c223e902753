import { type Static, Type } from '@sinclair/typebox';
import { ignored } from '../../platform/documents/read-only.ts';
import { Currency } from '../currency.schemas.ts';

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

const CardInput = Type.Object(
  {
    object: Type.Optional(
      Type.Literal('card', { description: 'May be left out: the other members tell.' }),
    ),
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

const accountType = Type.Unsafe<'individual' | 'company'>({
  type: 'string',
  enum: ['individual', 'company'],
  description: 'Whose account it is.',
});

const BankAccountInput = Type.Object(
  {
    object: Type.Optional(
      Type.Literal('bank_account', { description: 'May be left out: the other members tell.' }),
    ),
    name: line(200, "The account holder's name."),
    number: Type.String({
      pattern: '^[0-9A-Za-z](?:[ -]?[0-9A-Za-z]){5,33}$',
      'x-takes': 'an account number or IBAN of 6 to 34 letters and digits',
      writeOnly: true,
      description: 'Account number or IBAN; only its last four characters are kept.',
      examples: ['00012345'],
    }),
    account_type: accountType,
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

const masked = Type.String({
  description: 'Asterisks and the last four characters.',
  examples: ['************4242'],
});

/** What is shown of what was paid with: what was sent, less what is write-only. */
export const MaskedCard = Type.Object(
  {
    object: Type.Literal('card', { description: 'It is a card.' }),
    name: Type.String({ description: 'The name on the card.' }),
    number: masked,
    exp_month: Type.Integer({ minimum: 1, maximum: 12, description: 'Month of expiry.' }),
    exp_year: Type.Integer({ description: 'Year of expiry, four digits.' }),
    address_country: Type.String({ description: 'Country, ISO 3166-1 alpha-2.' }),
    address_city: Type.Optional(Type.String({ description: 'City.' })),
    address_post_code: Type.Optional(Type.String({ description: 'Postcode.' })),
  },
  { $id: 'Masked-Card', description: 'A card that was paid with, as far as it is kept.' },
);

export const MaskedBankAccount = Type.Object(
  {
    object: Type.Literal('bank_account', { description: 'It is a bank account.' }),
    name: Type.String({ description: 'Whose name the account is in.' }),
    number: masked,
    account_type: accountType,
    bank_name: Type.String({ description: 'Name of the bank.' }),
    country: Type.String({ description: 'Country, ISO 3166-1 alpha-2.' }),
    sort_code: Type.Optional(Type.String({ description: 'Sort code, as it was sent.' })),
  },
  {
    $id: 'Masked-Bank-Account',
    description: 'A bank account that was paid from, as far as it is kept.',
  },
);

export type MaskedSource = Static<typeof MaskedCard> | Static<typeof MaskedBankAccount>;
export const PaymentSource = Type.Unsafe<MaskedSource>({
  $id: 'Payment-Source',
  oneOf: [Type.Ref('Masked-Card'), Type.Ref('Masked-Bank-Account')],
  discriminator: { propertyName: 'object' },
  description: 'What was paid with, masked.',
});

export const PaymentLinks = Type.Object(
  { booking: Type.String({ format: 'uri', description: 'The booking that is paid for.' }) },
  { $id: 'Links-Booking', readOnly: true, description: 'Where the booking is.' },
);

const FAILURE_REASONS = [
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'processing_error',
  'booking-already-paid',
  'booking-expired',
];

export const Payment = Type.Object(
  {
    id: Type.String({ format: 'uuid', readOnly: true, description: 'Identifier of the payment.' }),
    amount: Type.Number({ exclusiveMinimum: 0, description: 'What was to be paid.' }),
    currency: Currency,
    source: Type.Unsafe<MaskedSource>(Type.Ref('Payment-Source')),
    status: Type.Unsafe<'pending' | 'succeeded' | 'failed'>({
      type: 'string',
      enum: ['pending', 'succeeded', 'failed'],
      readOnly: true,
      description:
        'pending: the bank has not answered yet; succeeded: the booking is confirmed; failed: nothing was charged.',
    }),
    failure_reason: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        enum: FAILURE_REASONS,
        readOnly: true,
        description:
          'Why it failed; only where `status` is failed. The bank refused (`card_declined`, `insufficient_funds`, `expired_card`), did not answer (`processing_error`), or the booking was paid, or expired, meanwhile.',
      }),
    ),
    links: Type.Unsafe<{ booking: string }>(Type.Ref('Links-Booking')),
  },
  { $id: 'Payment', description: 'An attempt to pay for a booking.' },
);
export type Payment = Static<typeof Payment>;

export const NewPayment = Type.Object(
  {
    amount: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1_000_000,
      multipleOf: 0.01,
      description: 'The `price` of the booking, no more and no less.',
      examples: [50],
    }),
    currency: Currency,
    source: Type.Union([CardInput, BankAccountInput], { description: 'What to pay with.' }),
    id: ignored(Payment.properties.id),
    status: ignored(Payment.properties.status),
    failure_reason: ignored(Payment.properties.failure_reason),
    links: ignored(Payment.properties.links),
  },
  { $id: 'New-Payment', additionalProperties: false, description: 'An attempt to pay.' },
);
export type NewPayment = Static<typeof NewPayment>;

export const PaymentCollection = Type.Object(
  {
    data: Type.Array(Type.Ref('Payment'), { description: 'The attempts of this page.' }),
    links: Type.Ref('Links-Pagination'),
  },
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
