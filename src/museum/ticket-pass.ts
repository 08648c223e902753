import { loadDesign } from '../platform/passes/design.ts';
import type { PassField, PassState } from '../platform/passes/passes.ts';
import type { TicketRow } from './tickets.queries.ts';

/** The names are written so that no event is called like one of them by accident. */
export const ticketDesign = loadDesign({
  images: new URL('./pass/', import.meta.url),
  organizationName: 'Quartet Museum',
  logoText: 'MUSEUM_NAME',
  colors: {
    foreground: 'rgb(255, 255, 255)',
    background: 'rgb(38, 34, 54)',
    label: 'rgb(233, 196, 106)',
  },
  texts: {
    en: {
      MUSEUM_NAME: 'Quartet Museum',
      TICKET_DESCRIPTION: 'Museum ticket',
      GENERAL_ADMISSION: 'General admission',
      LABEL_EVENT: 'Special event',
      LABEL_ADMISSION: 'Ticket',
      LABEL_DATE: 'Date',
      LABEL_LOCATION: 'Where',
      LABEL_HOURS: 'Open',
      LABEL_CONFIRMATION: 'Confirmation',
      LABEL_TICKET: 'Ticket id',
      LABEL_ABOUT: 'About the event',
      LABEL_ENTRY: 'At the entrance',
      TEXT_ENTRY: 'Show the code. It is valid once, on the date of the ticket, and works offline.',
    },
    fr: {
      MUSEUM_NAME: 'Musée Quartet',
      TICKET_DESCRIPTION: 'Billet de musée',
      GENERAL_ADMISSION: 'Entrée générale',
      LABEL_EVENT: 'Événement spécial',
      LABEL_ADMISSION: 'Billet',
      LABEL_DATE: 'Date',
      LABEL_LOCATION: 'Lieu',
      LABEL_HOURS: 'Ouvert',
      LABEL_CONFIRMATION: 'Confirmation',
      LABEL_TICKET: 'Numéro du billet',
      LABEL_ABOUT: 'À propos de l’événement',
      LABEL_ENTRY: 'À l’entrée',
      TEXT_ENTRY:
        'Présentez le code. Il est valable une fois, à la date du billet, et fonctionne hors ligne.',
    },
    de: {
      MUSEUM_NAME: 'Quartet-Museum',
      TICKET_DESCRIPTION: 'Museumsticket',
      GENERAL_ADMISSION: 'Allgemeiner Eintritt',
      LABEL_EVENT: 'Sonderveranstaltung',
      LABEL_ADMISSION: 'Ticket',
      LABEL_DATE: 'Datum',
      LABEL_LOCATION: 'Ort',
      LABEL_HOURS: 'Geöffnet',
      LABEL_CONFIRMATION: 'Bestätigung',
      LABEL_TICKET: 'Ticketnummer',
      LABEL_ABOUT: 'Über die Veranstaltung',
      LABEL_ENTRY: 'Am Eingang',
      TEXT_ENTRY:
        'Den Code vorzeigen. Er gilt einmal, am Datum des Tickets, und funktioniert offline.',
    },
  },
});

/** A field, or nothing where there is nothing to show. */
const field = (key: string, label: string, value: string | null): PassField[] =>
  value === null ? [] : [{ key, label, value }];

/** What the wallet pass of a ticket shows. */
export function toPassState(row: TicketRow): PassState {
  const { id, event_name, event_location, event_description, time_open, time_close } = row;
  const startsAt = row.opens_at ?? row.starts_at;
  const [nameLabel, name] =
    event_name === null ? ['LABEL_ADMISSION', 'GENERAL_ADMISSION'] : ['LABEL_EVENT', event_name];
  const hours = time_open === null ? null : `${time_open}–${time_close}`;
  return {
    serialNumber: id,
    lastModified: row.changed_at,
    voided: isVoid(row),
    description: 'TICKET_DESCRIPTION',
    barcode: { message: id, altText: row.confirmation_code },
    relevantDate: startsAt,
    expirationDate: row.ends_at,
    ...(event_name !== null && {
      semantics: {
        eventType: 'PKEventTypeGeneric',
        eventName: event_name,
        venueName: 'Quartet Museum',
        eventStartDate: startsAt,
        eventEndDate: row.ends_at,
      },
    }),
    style: {
      eventTicket: {
        primaryFields: [{ key: 'name', label: nameLabel, value: name }],
        secondaryFields: [
          {
            key: 'date',
            label: 'LABEL_DATE',
            value: row.starts_at,
            dateStyle: 'PKDateStyleMedium',
            timeStyle: 'PKDateStyleNone',
            // The date of the museum, wherever the device is.
            ignoresTimeZone: true,
          },
          ...field('hours', 'LABEL_HOURS', hours),
        ],
        auxiliaryFields: field('location', 'LABEL_LOCATION', event_location),
        backFields: [
          { key: 'entry', label: 'LABEL_ENTRY', value: 'TEXT_ENTRY' },
          ...field('about', 'LABEL_ABOUT', event_description),
          { key: 'ticket', label: 'LABEL_TICKET', value: id },
          { key: 'confirmation', label: 'LABEL_CONFIRMATION', value: row.confirmation_code },
        ],
      },
    },
  };
}

/** Good for nothing any more: there is no such event, on that date at least. */
export const isVoid = (row: TicketRow): boolean => row.is_cancelled || !row.is_held;
