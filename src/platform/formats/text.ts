import { type StringOptions, type TString, Type } from '@sinclair/typebox';

/** Every character that XML 1.0 can hold; the pattern is read with the flag u. */
const XML_TEXT = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\ud800-\\udfff\\ufffe\\uffff]*$';

/** A string that every format can hold: no control characters, no half characters. */
export const Text = (options: StringOptions = {}): TString =>
  Type.String({
    pattern: XML_TEXT,
    'x-takes': 'text without control characters',
    ...options,
  });

/** Characters that XML 1.0 cannot hold in any way; lone surrogates are another matter. */
// oxlint-disable-next-line no-control-regex -- those are the ones
export const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

const PROBES = ['\0', '\x0b', '\x1f', '\ud800', '\udc00', '\ufffe', '\uffff'].flatMap((probe) => [
  probe,
  `a${probe}`,
  `${probe}a`,
  `a${probe}a`,
]);

/** Whether a string of this schema could hold what XML cannot. */
export function couldHoldNonXml(schema: Record<string, unknown>): boolean {
  const { pattern } = schema;
  if (schema['enum'] !== undefined || schema['const'] !== undefined) return false;
  if (typeof pattern !== 'string') return schema['format'] === undefined;
  const fits = new RegExp(pattern, 'u');
  return PROBES.some((probe) => fits.test(probe));
}
