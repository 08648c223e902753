import { loadDesign } from '../../../src/platform/passes/design.ts';
import type { PassState } from '../../../src/platform/passes/passes.ts';

export const design = loadDesign({
  images: new URL('../../../src/museum/pass/', import.meta.url),
  organizationName: 'SAMPLE_NAME',
  logoText: 'SAMPLE_NAME',
  colors: {
    foreground: 'rgb(255, 255, 255)',
    background: 'rgb(38, 34, 54)',
    label: 'rgb(233, 196, 106)',
  },
  texts: {
    en: { SAMPLE_NAME: 'The "Sample"', SAMPLE_DATE: 'Date' },
    fr: { SAMPLE_NAME: 'L’échantillon', SAMPLE_DATE: 'Date\nde visite' },
    de: { SAMPLE_NAME: 'Das Muster \\ die Probe', SAMPLE_DATE: 'Datum' },
  },
});

export const state: PassState = {
  serialNumber: '0194a1f0-7a00-7000-8000-000000000001',
  lastModified: new Date('2030-05-06T07:08:09.876Z'),
  voided: false,
  description: 'A sample',
  barcode: { message: '0194a1f0-7a00-7000-8000-000000000001', altText: 'ticket-sample' },
  relevantDate: '2030-06-01T10:00:00+02:00',
  expirationDate: '2030-06-01T18:00:00+02:00',
  style: {
    eventTicket: {
      primaryFields: [{ key: 'name', label: 'SAMPLE_NAME', value: 'Łukasz 李 & Söhne' }],
      secondaryFields: [
        {
          key: 'date',
          label: 'SAMPLE_DATE',
          value: '2030-06-01T10:00:00+02:00',
          dateStyle: 'PKDateStyleMedium',
          timeStyle: 'PKDateStyleNone',
          ignoresTimeZone: true,
        },
      ],
    },
  },
};
