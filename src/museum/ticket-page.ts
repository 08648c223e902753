import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyReply } from 'fastify';
import { Html, html } from '../platform/pages/html.ts';
import { securityHeaders } from '../platform/pages/layout.ts';
import { qrSvg } from '../platform/passes/qr.ts';
import { isVoid } from './ticket-pass.ts';
import type { TicketRow } from './tickets.queries.ts';

const text = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

const STYLE = text('ticket-page.css');
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const ICON = `data:image/svg+xml,${encodeURIComponent(text('pass/icon.svg'))}`;
const LOGO = new Html(text('pass/logo.svg').replace('<svg ', '<svg aria-hidden="true" '));
const STRIP = new Html(text('pass/strip.svg').replace('<svg ', '<svg aria-hidden="true" '));

const { 'cache-control': _, ...HEADERS } = securityHeaders(STYLE_HASH, "'none'");

const render = (title: string, main: Html): string =>
  `<!doctype html>${
    html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title} · Quartet Museum</title><link rel="icon" href="${ICON}"><style>${new Html(STYLE)}</style></head><body>${main}</body></html>`
      .text
  }`;

const DATE = new Intl.DateTimeFormat('en', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
/** A calendar date in words; it is nobody's midnight, so no timezone shifts it. */
const inWords = (date: string): string => DATE.format(new Date(`${date}T00:00:00Z`));

const fact = (label: string, value: Html | string | undefined): Html | undefined =>
  value === undefined ? undefined : html`<div><dt>${label}</dt><dd>${value}</dd></div>`;

/** What stands in for the code on a ticket that opens no door. */
const voidNote = (row: TicketRow): Html =>
  html`<div class="void"><p class="stamp">Void</p><p role="status">${
    row.is_cancelled
      ? 'The event is cancelled, and this ticket with it.'
      : 'The event is no longer held on this date, so this ticket is not valid.'
  }</p></div>`;

/** Sends the ticket as people know one: to be shown at the entrance, or put into a wallet. */
export function sendTicketPage(reply: FastifyReply, row: TicketRow, baseUrl: string): FastifyReply {
  const { id, date, event_name, event_location, time_open, time_close } = row;
  const name = event_name ?? 'General admission';
  const isGone = isVoid(row);
  const code = html`<div class="code" role="img" aria-label="QR code of this ticket">${new Html(qrSvg(id))}</div>
<p class="hint">Show this code at the entrance.</p>
<p><a class="button" href="${baseUrl}/tickets/${id}/pkpass">Add to Apple Wallet</a></p>`;
  const page = render(
    name,
    html`<main class="ticket${isGone ? ' gone' : ''}">
<header>${LOGO}<span>Quartet Museum</span></header>
<div class="strip">${STRIP}</div>
<section class="facts"><p class="kind">${event_name === null ? 'Ticket' : 'Special event'}</p><h1>${name}</h1>
<dl>${fact('Date', html`<time datetime="${date}">${inWords(date)}</time>`)}
${fact('Open', time_open === null ? undefined : `${time_open}–${time_close}`)}
${fact('Where', event_location ?? undefined)}
${fact('Confirmation', html`<code>${row.confirmation_code}</code>`)}</dl></section>
<section class="stub" aria-label="Entry">${isGone ? voidNote(row) : code}</section>
</main>`,
  );
  return reply.headers(HEADERS).send(page);
}

/** The same for an address that is no ticket's. */
export function sendFaultPage(reply: FastifyReply, status: number): FastifyReply {
  const page = render(
    'No such ticket',
    html`<main class="ticket"><header>${LOGO}<span>Quartet Museum</span></header>
<section class="facts"><h1>There is no such ticket</h1><p>Check the address: all of it belongs to the ticket, to the last letter.</p></section></main>`,
  );
  return reply
    .code(status)
    .headers({ ...HEADERS, 'cache-control': 'no-store' })
    .send(page);
}
