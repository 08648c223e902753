import type { Logger } from 'pino';
import type { Db } from '../database/database.ts';
import { entityTag } from '../http/etag.ts';
import { unavailable } from '../problems/problems.ts';
import { type Credentials, loadCredentials, type PassOptions } from './certificates.ts';
import { type PassDesign, sha1 } from './design.ts';
import { createSigner, type Sign } from './signature.ts';
import { zip, zipEntry } from './zip.ts';

export const PASS_MEDIA_TYPE = 'application/vnd.apple.pkpass';

type DateStyle = `PKDateStyle${'None' | 'Short' | 'Medium' | 'Long' | 'Full'}`;

export interface PassField {
  key: string;
  label?: string;
  /** Text, or a time as RFC 3339 together with `dateStyle` or `timeStyle`. */
  value: string | number;
  dateStyle?: DateStyle;
  timeStyle?: DateStyle;
  /** Shows the time with its own offset, not on the device's clock. */
  ignoresTimeZone?: boolean;
  /** ISO 4217, with a number as value. */
  currencyCode?: string;
  textAlignment?: `PKTextAlignment${'Left' | 'Center' | 'Right' | 'Natural'}`;
}

type PassFields = Partial<
  Record<
    'headerFields' | 'primaryFields' | 'secondaryFields' | 'auxiliaryFields' | 'backFields',
    PassField[]
  >
>;

/** What one pass shows. Times are RFC 3339 with an offset. */
export interface PassState {
  /** One for each pass that there is. */
  serialNumber: string;
  /** When anything of this last changed; the signature says this time. */
  lastModified: Date;
  /** No longer valid; the device shows it as such. */
  voided: boolean;
  /** Read aloud to those who do not see it. */
  description: string;
  /** Shown as a QR code, with `altText` below. */
  barcode: { message: string; altText?: string };
  /** When it belongs on the lock screen. */
  relevantDate?: string;
  expirationDate?: string;
  /** Where it belongs on the lock screen. */
  locations?: { latitude: number; longitude: number; relevantText?: string }[];
  /** Semantic tags, for the device's calendar, maps and the like. */
  semantics?: Record<string, unknown>;
  style:
    | { eventTicket: PassFields }
    | { boardingPass: PassFields & { transitType: 'PKTransitTypeTrain' } };
}

interface Pass {
  /** Strong; the same as long as `build` makes the same bytes. */
  etag: string;
  lastModified: Date;
  /** The signed pass, as a file for Wallet. */
  build(): Promise<Buffer>;
}

export interface Passes {
  /** The pass for this state; nothing is signed before `build`. */
  pass(design: PassDesign, state: PassState): Pass;
}

/** Loads the certificate, or makes one for development; throws ConfigError where it does not fit. */
export async function openPasses(options: {
  config: PassOptions;
  db: Db;
  log: Logger;
}): Promise<Passes> {
  const credentials = await loadCredentials(options.config, options.db, options.log);
  const sign = createSigner(credentials);
  return { pass: (design, state) => preparePass(credentials, sign, design, state) };
}

function preparePass(
  credentials: Credentials,
  sign: Sign,
  design: PassDesign,
  state: PassState,
): Pass {
  const { validFromDate, validToDate, fingerprint256 } = credentials.certificate;
  const json = JSON.stringify(passJson(credentials, design, state), (_name, value) =>
    typeof value === 'string' ? (design.english.get(value) ?? value) : value,
  );
  // Whole seconds, as signatures have them; never before there was a certificate.
  const seconds = Math.floor(
    Math.max(state.lastModified.getTime(), validFromDate.getTime()) / 1000,
  );
  const signedAt = new Date(seconds * 1000);
  return {
    etag: entityTag(JSON.stringify([json, design.fingerprint, fingerprint256, seconds])),
    lastModified: state.lastModified,
    async build() {
      if (new Date() > validToDate)
        throw unavailable('The certificate for wallet passes has expired.', 3600);
      const manifest = Buffer.from(JSON.stringify({ 'pass.json': sha1(json), ...design.digests }));
      const signature = await sign(manifest, signedAt);
      return zip([
        zipEntry('pass.json', Buffer.from(json)),
        ...design.files,
        zipEntry('manifest.json', manifest),
        zipEntry('signature', signature),
      ]);
    },
  };
}

/** The members in a fixed order: the same state is the same text. */
function passJson({ typeId, teamId }: Credentials, design: PassDesign, state: PassState) {
  const { serialNumber, description, voided, barcode, relevantDate, style } = state;
  const { expirationDate, locations, semantics } = state;
  const code = {
    format: 'PKBarcodeFormatQR',
    message: barcode.message,
    messageEncoding: 'iso-8859-1',
    ...(barcode.altText !== undefined && { altText: barcode.altText }),
  };
  return {
    formatVersion: 1,
    passTypeIdentifier: typeId,
    teamIdentifier: teamId,
    serialNumber,
    description,
    ...design.members,
    // One date under three names: before iOS 18, from then on, and from iOS 26 on.
    ...(relevantDate !== undefined && {
      relevantDate,
      relevantDates: [{ relevantDate, date: relevantDate }],
    }),
    ...(expirationDate !== undefined && { expirationDate }),
    ...(voided && { voided }),
    ...(locations && { locations }),
    // The second for iOS 8 and the readers that stayed there.
    barcodes: [code],
    barcode: code,
    ...style,
    ...(semantics && { semantics }),
  };
}
