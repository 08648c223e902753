import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { qrModules } from '../../platform/passes/qr.ts';
import { type Run, runsOf, type Weight, widthOf } from './fonts.ts';
import { calendarDay, clockTime } from './local-time.ts';
import type { TicketRow } from './ticket.queries.ts';

const PAGE = { width: 420, height: 595, margin: 36 };
const INNER = PAGE.width - 2 * PAGE.margin;
const INK = '#12262b';
const QUIET = '#5b6f74';
const BRAND = '#0b3c49';
const ACCENT = '#ffb703';

/** Strokes of the drawn characters, in parts of their size: what makes the thin ones regular. */
const THICKER: Record<Weight, number> = { regular: 0.045, bold: 0.07 };

interface Style {
  size: number;
  weight?: Weight;
  color?: string;
  /** Below the last of these sizes text runs over into further lines. */
  smaller?: number[];
  lines?: number;
}

/** Breaks at spaces, and inside of words that are wider than a line. */
function wrap(text: string, weight: Weight, size: number, width: number): string[] {
  const widest = width / size;
  const lines: string[] = [];
  let [line, used] = ['', 0];
  const breakLine = () => {
    lines.push(line.trimEnd());
    [line, used] = ['', 0];
  };
  for (const word of text.normalize('NFC').split(/(?<= )/)) {
    const needed = [...word.trimEnd()].reduce((sum, each) => sum + widthOf(each, weight), 0);
    if (line !== '' && used + needed > widest) breakLine();
    for (const each of word) {
      const step = widthOf(each, weight);
      if (line !== '' && each !== ' ' && used + step > widest) breakLine();
      line += each;
      used += step;
    }
  }
  breakLine();
  return lines;
}

class Sheet {
  readonly pdf: PDFKit.PDFDocument;

  constructor(pdf: PDFKit.PDFDocument) {
    this.pdf = pdf;
  }

  /** Writes text with its top at `y`; answers where the next line begins. */
  text(text: string, x: number, y: number, width: number, style: Style): number {
    const { weight = 'regular', color = INK, lines: most = 1 } = style;
    const sizes = [style.size, ...(style.smaller ?? [])];
    let [size, lines] = [0, [] as string[]];
    for (size of sizes) {
      lines = wrap(text, weight, size, width);
      if (lines.length <= most) break;
    }
    let top = y;
    for (const line of lines) {
      this.#line(runsOf(line, weight), x, top + size, size, weight, color);
      top += size * 1.3;
    }
    return top;
  }

  #line(runs: Run[], x: number, baseline: number, size: number, weight: Weight, color: string) {
    const { pdf } = this;
    let left = x;
    for (const { face, text } of runs) {
      if (face.isDrawn) {
        this.#draw({ face, text }, left, baseline, size, weight, color);
        for (const each of text) left += widthOf(each, weight) * size;
        continue;
      }
      pdf
        .font(face.font as unknown as string)
        .fontSize(size)
        .fillColor(color)
        .text(text, left, baseline, { baseline: 'alphabetic', lineBreak: false });
      left += pdf.widthOfString(text);
    }
  }

  /** Characters as shapes, with the text beside them for whoever searches or copies it. */
  #draw(
    { face: { font }, text }: Run,
    x: number,
    baseline: number,
    size: number,
    weight: Weight,
    color: string,
  ) {
    const { pdf } = this;
    const scale = size / font.unitsPerEm;
    pdf.markContent('Span', { actual: text });
    pdf.save().translate(x, baseline).scale(scale, -scale);
    pdf.lineWidth(THICKER[weight] * font.unitsPerEm).lineJoin('round');
    for (const each of text) {
      const glyph = font.glyphForCodePoint(each.codePointAt(0) ?? 0);
      pdf.path(glyph.path.toSVG() || 'M0 0').fillAndStroke(color, color);
      pdf.translate(glyph.advanceWidth, 0);
    }
    pdf.restore();
    pdf.endMarkedContent();
  }

  labelled(label: string, value: string, x: number, y: number, width: number, style: Style) {
    const top = this.text(label.toUpperCase(), x, y, width, { size: 7, color: QUIET });
    return this.text(value, x, top + 1, width, style);
  }

  qr(message: string, x: number, y: number, side: number): void {
    const modules = qrModules(message);
    const unit = side / modules.length;
    for (const [row, line] of modules.entries())
      for (const [column, isDark] of line.entries())
        if (isDark) this.pdf.rect(x + column * unit, y + row * unit, unit, unit);
    this.pdf.fill('#000000');
  }
}

/** The front of a train, 50 wide and high; as src/train/pass/logo.svg has it. */
function drawLogo(pdf: PDFKit.PDFDocument, x: number, y: number, side: number): void {
  pdf
    .save()
    .translate(x, y)
    .scale(side / 50);
  pdf.roundedRect(7.5, 4, 35, 32, 8).fill('#ffffff');
  pdf.roundedRect(12, 8, 26, 15, 3.5).fill(BRAND);
  pdf.rect(24.2, 8, 1.6, 15).fill('#ffffff');
  pdf.circle(15, 29.3, 2.7).circle(35, 29.3, 2.7).fill(ACCENT);
  pdf.path('M15.5 37.5 10 46M34.5 37.5 40 46M13.5 42h23').lineWidth(2.6).lineCap('round');
  pdf.stroke('#ffffff').restore();
}

const money = (cents: number, currency: string) =>
  `${(cents / 100).toFixed(2)} ${currency.toUpperCase()}`;

/** The ticket of a confirmed booking on one A5 page; the same ticket is the same bytes. */
export async function ticketPdf(ticket: TicketRow): Promise<Buffer> {
  const { origin, destination } = ticket;
  const pdf = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    // No standard font: everything is written in those of fonts.ts.
    font: '',
    lang: 'en',
    displayTitle: true,
    info: {
      Title: `Train ticket ${origin.name} – ${destination.name}, ${ticket.passenger_name}`,
      Subject: `Booking ${ticket.id}`,
      Producer: 'Quartet',
      Creator: 'Quartet',
      // Instead of the time of writing: this is also what the file's id is made of.
      CreationDate: ticket.paid_at,
    },
  });
  draw(new Sheet(pdf), ticket);
  pdf.end();
  return buffer(pdf);
}

function draw(sheet: Sheet, ticket: TicketRow): void {
  const { pdf } = sheet;
  const { origin, destination } = ticket;
  const left = PAGE.margin;

  pdf.rect(0, 0, PAGE.width, 76).fill(BRAND);
  drawLogo(pdf, left, 18, 40);
  sheet.text('Train ticket', left + 54, 20, 180, { size: 17, weight: 'bold', color: '#ffffff' });
  sheet.text(ticket.operator, left + 54, 43, INNER - 54, {
    size: 10,
    color: '#9fd6d2',
    smaller: [8, 7],
  });

  let y = sheet.text(calendarDay(ticket.departure_time, origin.timezone), left, 94, INNER, {
    size: 11,
    weight: 'bold',
    color: BRAND,
  });
  const stops = [
    { time: ticket.departure_time, station: origin },
    { time: ticket.arrival_time, station: destination },
  ];
  const line = left + 68;
  const dots: number[] = [];
  y += 10;
  for (const { time, station } of stops) {
    sheet.text(clockTime(time, station.timezone), left, y, 60, { size: 19, weight: 'bold' });
    dots.push(y + 12);
    let below = sheet.text(station.name, line + 18, y, INNER - 86, {
      size: 15,
      weight: 'bold',
      smaller: [12, 10],
    });
    below = sheet.text(station.address, line + 18, below, INNER - 86, {
      size: 8.5,
      color: QUIET,
      lines: 2,
      smaller: [7],
    });
    const day = calendarDay(time, station.timezone);
    // A night train arrives on another day than it leaves.
    if (day !== calendarDay(ticket.departure_time, origin.timezone))
      below = sheet.text(day, line + 18, below, INNER - 86, { size: 8.5, color: BRAND });
    y = below + 18;
  }
  const [from = 0, to = 0] = dots;
  pdf.lineWidth(2).moveTo(line, from).lineTo(line, to).stroke(BRAND);
  pdf.circle(line, from, 4.5).fillAndStroke('#ffffff', BRAND);
  pdf.circle(line, to, 5.5).fill(ACCENT);

  pdf
    .lineWidth(0.7)
    .moveTo(left, y)
    .lineTo(left + INNER, y)
    .dash(3, { space: 3 })
    .stroke(QUIET);
  pdf.undash();
  y = sheet.labelled('Passenger', ticket.passenger_name, left, y + 16, INNER, {
    size: 17,
    weight: 'bold',
    lines: 2,
    smaller: [13, 11, 9, 8],
  });

  const side = 176;
  const right = left + INNER - side;
  const narrow = INNER - side - 20;
  y = Math.max(y + 12, 340);
  sheet.qr(ticket.id, right, y + 2, side);
  const extras = [ticket.has_bicycle && 'Bicycle', ticket.has_dog && 'Dog'].filter(Boolean);
  let top = y;
  for (const [label, value] of [
    ['Price', money(ticket.price_cents, ticket.currency)],
    ['With', extras.join(', ')],
    ['Booking', ticket.id],
  ] as const)
    if (value !== '')
      top = sheet.labelled(label, value, left, top, narrow, { size: 11, smaller: [9, 8, 7] }) + 9;
  sheet.text(
    'Valid for the passenger, the train and the day named here. Times are local at the station.',
    left,
    PAGE.height - 38,
    INNER,
    { size: 7.5, color: QUIET },
  );
}
