import type { Example, Examples } from '../../platform/documents/examples.ts';
import { problemExample } from '../../platform/documents/problem-responses.ts';
import type { ProblemSlug } from '../../platform/problems/problem-types.ts';
import type { MaskedSource, NewPayment, Payment } from './payments.schemas.ts';

/** A card that the sandbox gateway accepts. */
export const CARD = {
  object: 'card',
  name: 'John Doe',
  number: '4242424242424242',
  cvc: '123',
  exp_month: 12,
  exp_year: 2040,
  address_line1: '123 Fake Street',
  address_line2: '4th Floor',
  address_city: 'London',
  address_country: 'gb',
  address_post_code: 'N12 9XX',
} as const;

const MASKED_CARD: MaskedSource = {
  object: 'card',
  name: 'John Doe',
  number: '************4242',
  exp_month: 12,
  exp_year: 2040,
  address_country: 'gb',
  address_city: 'London',
  address_post_code: 'N12 9XX',
};

const ACCOUNT = {
  object: 'bank_account',
  name: 'John Doe',
  number: '00012345',
  account_type: 'individual',
  bank_name: 'Starling Bank',
  country: 'gb',
  sort_code: '000123',
} as const;

/** Attempts to pay for the booking at `bookingUrl`, newest first, as its history has them. */
export function examplePayments(bookingUrl: string): [succeeded: Payment, failed: Payment] {
  const payment = {
    amount: 50,
    currency: 'eur',
    links: { booking: bookingUrl },
  };
  return [
    {
      ...payment,
      id: '2e3b4f5a-6b7c-8d9e-8f0a-1b2c3d4e5f6a',
      source: MASKED_CARD,
      status: 'succeeded',
    },
    {
      ...payment,
      id: '1d2a3f4e-5a6b-7c8d-9e0f-0a1b2c3d4e5f',
      source: { ...MASKED_CARD, number: '************0002' },
      status: 'failed',
      failure_reason: 'card_declined',
    },
  ];
}

/** Requests and answers about the payments of the booking at `bookingUrl`. */
export function paymentExamples(publicUrl: string, bookingUrl: string): Examples {
  const [succeeded, failed] = examplePayments(bookingUrl);
  const url = `${bookingUrl}/payment`;
  const body: NewPayment = { amount: 50, currency: 'eur', source: CARD };
  const refused = (slug: ProblemSlug, request: Partial<Example> & { answer?: object } = {}) =>
    problemExample(slug, publicUrl, new URL(url).pathname, { body, ...request });
  return {
    'create-booking-payment': [
      { name: 'card', summary: 'By card', body, status: 200, answer: succeeded },
      {
        name: 'bank-account',
        summary: 'From a bank account',
        body: { ...body, source: ACCOUNT },
        status: 200,
        answer: { ...succeeded, source: { ...ACCOUNT, number: '****2345' } },
      },
      {
        name: 'declined',
        summary: 'By a card that is declined',
        body: { ...body, source: { ...CARD, number: '4000000000000002' } },
        status: 200,
        answer: failed,
      },
      refused('invalid-request', {
        summary: 'A card number with a slip',
        body: { ...body, source: { ...CARD, number: '4242424242424241' } },
        answer: {
          detail: '/source/number is not a card number: its check digit is wrong',
          errors: [
            {
              pointer: '/source/number',
              detail: 'is not a card number: its check digit is wrong',
            },
          ],
        },
      }),
      refused('payment-amount-mismatch', { body: { ...body, amount: 49.99 } }),
      refused('booking-expired'),
      refused('booking-already-paid'),
    ],
    'get-booking-payments': [
      {
        name: 'second-try',
        summary: 'Paid at the second attempt',
        status: 200,
        answer: { data: [succeeded, failed], links: { self: url } },
      },
    ],
  };
}
