import { loadDesign } from '../../platform/passes/design.ts';
import type { PassField, PassState } from '../../platform/passes/passes.ts';
import { withOffset } from './local-time.ts';
import type { TicketRow, TicketStation } from './ticket.queries.ts';

type Key =
  | 'railway'
  | 'description'
  | 'departure'
  | 'arrival'
  | 'from'
  | 'to'
  | 'passenger'
  | 'operator'
  | 'price'
  | 'booking'
  | 'extras'
  | 'bicycle'
  | 'dog'
  | 'bicycle_and_dog'
  | 'origin_address'
  | 'destination_address'
  | 'conditions'
  | 'conditions_text';
type Texts = Record<Key, string>;

const en: Texts = {
  railway: 'Train Travel',
  description: 'Train ticket',
  departure: 'Departs',
  arrival: 'Arrives',
  from: 'From',
  to: 'To',
  passenger: 'Passenger',
  operator: 'Operator',
  price: 'Price',
  booking: 'Booking',
  extras: 'With',
  bicycle: 'Bicycle',
  dog: 'Dog',
  bicycle_and_dog: 'Bicycle and dog',
  origin_address: 'Departure station',
  destination_address: 'Arrival station',
  conditions: 'Conditions',
  conditions_text:
    'Valid for the passenger, the train and the day named here. Times are local at the station.',
};
const fr: Texts = {
  railway: 'Train Travel',
  description: 'Billet de train',
  departure: 'Départ',
  arrival: 'Arrivée',
  from: 'De',
  to: 'À',
  passenger: 'Voyageur',
  operator: 'Transporteur',
  price: 'Prix',
  booking: 'Réservation',
  extras: 'Avec',
  bicycle: 'Vélo',
  dog: 'Chien',
  bicycle_and_dog: 'Vélo et chien',
  origin_address: 'Gare de départ',
  destination_address: "Gare d'arrivée",
  conditions: 'Conditions',
  conditions_text:
    'Valable pour le voyageur, le train et le jour indiqués. Les heures sont celles de la gare.',
};
const de: Texts = {
  railway: 'Train Travel',
  description: 'Fahrkarte',
  departure: 'Abfahrt',
  arrival: 'Ankunft',
  from: 'Von',
  to: 'Nach',
  passenger: 'Fahrgast',
  operator: 'Bahn',
  price: 'Preis',
  booking: 'Buchung',
  extras: 'Mit',
  bicycle: 'Fahrrad',
  dog: 'Hund',
  bicycle_and_dog: 'Fahrrad und Hund',
  origin_address: 'Abfahrtsbahnhof',
  destination_address: 'Ankunftsbahnhof',
  conditions: 'Bedingungen',
  conditions_text:
    'Gültig für den genannten Fahrgast, Zug und Tag. Die Zeiten sind die des Bahnhofs.',
};

/** Not what a passenger or a station could be called: the device translates any text that is a key. */
const t = (key: Key) => `ticket.${key}`;
const prefixed = (texts: Texts) =>
  Object.fromEntries(Object.entries(texts).map(([key, value]) => [t(key as Key), value]));

export const loadTicketDesign = () =>
  loadDesign({
    images: new URL('../pass/', import.meta.url),
    organizationName: t('railway'),
    logoText: t('railway'),
    colors: {
      foreground: 'rgb(255, 255, 255)',
      background: 'rgb(11, 60, 73)',
      label: 'rgb(159, 214, 210)',
    },
    texts: { en: prefixed(en), fr: prefixed(fr), de: prefixed(de) },
  });

const text = (key: Key, value: string): PassField => ({ key, label: t(key), value });

const extrasOf = ({ has_bicycle, has_dog }: TicketRow): Key | undefined =>
  has_bicycle && has_dog
    ? 'bicycle_and_dog'
    : has_bicycle
      ? 'bicycle'
      : has_dog
        ? 'dog'
        : undefined;

const place = ({ latitude, longitude }: TicketStation) => ({ latitude, longitude });

/** The boarding pass of a confirmed booking. */
export function toPassState(ticket: TicketRow): PassState {
  const { id, origin, destination, operator, currency } = ticket;
  const departs = withOffset(ticket.departure_time, origin.timezone);
  const arrives = withOffset(ticket.arrival_time, destination.timezone);
  const extras = extrasOf(ticket);
  const at = (key: Key, value: string): PassField => ({
    ...text(key, value),
    dateStyle: 'PKDateStyleMedium',
    timeStyle: 'PKDateStyleShort',
    // Travellers go by the station's clock.
    ignoresTimeZone: true,
  });
  const price = ticket.price_cents / 100;
  const currencyCode = currency.toUpperCase();
  return {
    serialNumber: id,
    lastModified: ticket.paid_at,
    voided: false,
    description: t('description'),
    barcode: { message: id, altText: id },
    relevantDate: departs,
    expirationDate: arrives,
    locations: [{ ...place(origin), relevantText: origin.name }],
    style: {
      boardingPass: {
        transitType: 'PKTransitTypeTrain',
        headerFields: [
          {
            key: 'time',
            label: t('departure'),
            value: departs,
            timeStyle: 'PKDateStyleShort',
            dateStyle: 'PKDateStyleNone',
            ignoresTimeZone: true,
          },
        ],
        primaryFields: [text('from', origin.name), text('to', destination.name)],
        secondaryFields: [
          text('passenger', ticket.passenger_name),
          ...(extras ? [text('extras', t(extras))] : []),
        ],
        auxiliaryFields: [at('departure', departs), at('arrival', arrives)],
        backFields: [
          text('booking', id),
          text('operator', operator),
          { key: 'price', label: t('price'), value: price, currencyCode },
          text('origin_address', `${origin.name}\n${origin.address}`),
          text('destination_address', `${destination.name}\n${destination.address}`),
          text('conditions', t('conditions_text')),
        ],
      },
    },
    semantics: {
      transitProvider: operator,
      departureStationName: origin.name,
      destinationStationName: destination.name,
      departureLocation: place(origin),
      destinationLocation: place(destination),
      originalDepartureDate: departs,
      originalArrivalDate: arrives,
      totalPrice: { amount: price.toFixed(2), currencyCode },
    },
  };
}
