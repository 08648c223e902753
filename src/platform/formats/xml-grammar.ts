/** The productions of XML 1.0 that a regular expression can hold; those with the flag y read on. */
const NAME_START =
  ':A-Z_a-z\\u{c0}-\\u{d6}\\u{d8}-\\u{f6}\\u{f8}-\\u{2ff}\\u{370}-\\u{37d}\\u{37f}-\\u{1fff}\\u{200c}\\u{200d}\\u{2070}-\\u{218f}\\u{2c00}-\\u{2fef}\\u{3001}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{fffd}\\u{10000}-\\u{effff}';
export const NAME = new RegExp(
  `[${NAME_START}][${NAME_START}\\-.0-9\\u{b7}\\u{300}-\\u{36f}\\u{203f}\\u{2040}]*`,
  'uy',
);
/** By code: whether it is an ASCII letter. */
export const IS_PLAIN_NAME = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z]/.test(String.fromCharCode(code)) ? 1 : 0,
);
export const DECLARATION =
  /<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(["'])([\w.:-]+)\1(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(["'])([A-Za-z][\w.-]*)\3)?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(["'])(?:yes|no)\5)?[ \t\n]*\?>/y;
export const ENTITY = /&(?:(lt|gt|amp|apos|quot)|#([0-9]{1,10})|#x([0-9A-Fa-f]{1,10}));/y;
export const NAMED = { lt: '<', gt: '>', amp: '&', apos: "'", quot: '"' };
