import { type Static, Type } from '@sinclair/typebox';
import { ignored } from '../platform/documents/read-only.ts';
import { EXAMPLE_EVENTS } from './seed/examples.ts';
import { CalendarDate } from './dates.schemas.ts';
import { MuseumPage } from './page.schemas.ts';

// Something to read somewhere; no control characters and no half characters anywhere.
const LINE = '^(?=.*[^\\s\\p{C}])[^\\p{Cc}\\p{Cs}]*$';
// The same, with tabs and line breaks.
const LINES = `^(?=[\\s\\S]*[^\\s\\p{C}])[^\\p{Cs}\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]*$`;

const text = (maxLength: number, description: string, example: string) =>
  Type.String({
    maxLength,
    pattern: maxLength > 200 ? LINES : LINE,
    'x-takes': 'text: not blank, and without control characters',
    description,
    examples: [example],
  });

const MOST_DATES = 366;

const FIELDS = {
  name: text(200, 'Its name.', 'Pirate Coding Workshop'),
  location: text(200, 'Where it is held.', 'Computer Room'),
  eventDescription: text(
    5000,
    'What it is about.',
    'Captain Blackbeard shares his love of the C...language. And possibly Arrrrr (R lang).',
  ),
  dates: Type.Array(CalendarDate(), {
    minItems: 1,
    maxItems: MOST_DATES,
    uniqueItems: true,
    description: 'The dates on which it is held. Answers have them in order.',
    examples: [['2023-10-29', '2023-10-30', '2023-10-31']],
  }),
  price: Type.Number({
    minimum: 0,
    maximum: 1_000_000,
    multipleOf: 0.01,
    description: 'Price of a ticket, with at most two decimals.',
    examples: [25],
  }),
};
type Fields = keyof typeof FIELDS;
export const EVENT_FIELDS = Object.keys(FIELDS) as Fields[];

const EventId = Type.String({
  format: 'uuid',
  readOnly: true,
  description: 'Identifier of the event.',
});

const [MERMAIDS] = EXAMPLE_EVENTS;
const { eventId: EXAMPLE_ID, ...NEW_MERMAIDS } = MERMAIDS;

export const SpecialEvent = Type.Object(
  { eventId: EventId, ...FIELDS },
  {
    $id: 'SpecialEvent',
    description: 'A special event of the museum, on one date or several.',
    examples: [MERMAIDS],
  },
);
export type SpecialEvent = Static<typeof SpecialEvent>;

const readOnly = { eventId: ignored(EventId) };

export const NewSpecialEvent = Type.Object(
  { ...FIELDS, ...readOnly },
  {
    $id: 'NewSpecialEvent',
    additionalProperties: false,
    description: 'An event to plan.',
    examples: [NEW_MERMAIDS],
  },
);
export type NewSpecialEvent = Static<typeof NewSpecialEvent>;

export const SpecialEventChange = Type.Object(
  { ...Type.Partial(Type.Object(FIELDS)).properties, ...readOnly },
  {
    $id: 'SpecialEventChange',
    additionalProperties: false,
    description: 'What to change, one member or more; what is left out stays.',
    examples: [{ location: 'On the beach.', price: 15 }],
  },
);
export type SpecialEventChange = Static<typeof SpecialEventChange>;

export const SpecialEvents = Type.Array(Type.Ref('SpecialEvent'), {
  $id: 'SpecialEvents',
  description: 'One page of events, by their first dates.',
});

export const EventParams = Type.Object({
  eventId: Type.String({
    format: 'uuid',
    description: 'Identifier of the event.',
    examples: [EXAMPLE_ID],
  }),
});

const bound = (description: string, example: string) =>
  Type.Optional(CalendarDate({ description, examples: [example] }));

export const EventQuery = Type.Object({
  startDate: bound('Only events with a date on or after this one.', '2023-02-23'),
  endDate: bound('Only events with a date on or before this one.', '2023-12-31'),
  ...MuseumPage,
});
