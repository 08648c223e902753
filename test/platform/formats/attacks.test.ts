import { expect, it } from 'vitest';
import { FORM, XML } from '../../../src/platform/formats/media-types.ts';
import { sharedService } from './service.ts';

const app = await sharedService();

const bomb = (declaration: string) =>
  `<?xml version="1.0"?><!DOCTYPE pet [${declaration}]><pet><name>&i;</name><photoUrls/></pet>`;
const laughs = Array.from(
  { length: 9 },
  (_, index) =>
    `<!ENTITY ${'abcdefghi'[index + 1] ?? 'i'} "${`&${'abcdefghi'[index]};`.repeat(10)}">`,
).join('');
const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);
const inPet = (inner: string) => `<pet>${inner}</pet>`;
const json = 'application/json';

/** Bodies of hostile clients: format, body. Each is refused, in the format of the client. */
const ATTACKS: Record<string, [type: string, body: string | Buffer]> = {
  'a billion laughs': [XML, bomb(`<!ENTITY a "ha">${laughs}`)],
  'an entity of quadratic size': [XML, bomb(`<!ENTITY i "${'x'.repeat(100_000)}">`)],
  'an entity from a file': [XML, bomb('<!ENTITY i SYSTEM "file:///etc/passwd">')],
  'an entity from elsewhere': [XML, bomb('<!ENTITY % i SYSTEM "http://127.0.0.1/x"> %i;')],
  'a document type from elsewhere': [XML, '<!DOCTYPE pet SYSTEM "http://127.0.0.1/x"><pet/>'],
  'an inclusion': [XML, inPet('<xi:include href="/etc/passwd" parse="text"/>')],
  'ten thousand levels': [XML, inPet(nested(10_000))],
  'ten thousand levels of what is ignored': [XML, inPet(`<links>${nested(10_000)}</links>`)],
  'ten thousand levels without end': [XML, '<pet>'.repeat(10_000)],
  'fifty thousand siblings': [XML, inPet('<a/>'.repeat(50_000))],
  'fifty thousand names': [
    XML,
    inPet(Array.from({ length: 50_000 }, (_, index) => `<a${index}/>`).join('')),
  ],
  'fifty thousand items': [XML, inPet(`<photoUrls>${'<photoUrl/>'.repeat(50_000)}</photoUrls>`)],
  'ten thousand names': [XML, inPet(Array.from({ length: 10_000 }, (_, n) => `<a${n}/>`).join(''))],
  'fifty thousand attributes': [
    XML,
    `<pet ${Array.from({ length: 50_000 }, (_, index) => `a${index}=""`).join(' ')}/>`,
  ],
  'a megabyte of ampersands': [XML, inPet('&'.repeat(1_000_000))],
  'a megabyte of white space': [XML, `<pet${' '.repeat(1_000_000)}`],
  'a declaration without end': [XML, `<?xml version="1.0"${' '.repeat(1_000_000)}`],
  'a megabyte of a name': [XML, `<${'a'.repeat(1_000_000)}`],
  'a megabyte of comments': [XML, '<!---->'.repeat(140_000)],
  'a comment without end': [XML, `<pet><!--${'-'.repeat(1_000_000)}`],
  'a megabyte of CDATA': [XML, inPet('<![CDATA[]]>'.repeat(80_000))],
  'two roots': [XML, '<pet><name>a</name><photoUrls/></pet><pet/>'],
  'UTF-16': [XML, Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?><pet/>', 'utf16le')],
  'UTF-7': [XML, '<?xml version="1.0" encoding="UTF-7"?><pet>+ADwAYQA+</pet>'],
  EBCDIC: [XML, Buffer.from('4c6fa7949340a58599a2899695', 'hex')],
  '__proto__ in XML': [XML, inPet('<__proto__><admin>true</admin></__proto__>')],
  '__proto__ in JSON': [json, '{"__proto__":{"admin":true}}'],
  '__proto__ in a form': [FORM, '__proto__.admin=true'],
  'constructor in XML': [XML, inPet('<constructor><prototype><admin/></prototype></constructor>')],
  'constructor in JSON': [json, '{"constructor":{"prototype":{"admin":true}}}'],
  'constructor in a form': [FORM, 'constructor.prototype.admin=true'],
  'a control character in XML': [XML, inPet('<name>\x1b</name><photoUrls/>')],
  'a control character in JSON': [json, '{"name":"\\u001b","photoUrls":[]}'],
  'half a character in JSON': [json, '{"name":"\\ud83d","photoUrls":[]}'],
  'a control character in a form': [FORM, 'name=%1b&photoUrls=[]'],
  'a hundred thousand brackets': [json, '['.repeat(100_000) + ']'.repeat(100_000)],
  'a hundred thousand parameters': [FORM, 'a=1&'.repeat(100_000)],
  'a hundred thousand steps': [FORM, `tags${'[0]'.repeat(100_000)}=1`],
  'a member of a hundred thousand members': [FORM, `category${'.a'.repeat(100_000)}=1`],
  'JSON of great depth in a form': [
    FORM,
    `category=${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  ],
  'a megabyte of percent signs': [FORM, `name=${'%'.repeat(1_000_000)}`],
};

it.for(Object.entries(ATTACKS))(
  '%s is a problem in the client’s format',
  async ([, [type, payload]]) => {
    for (const accept of [json, XML]) {
      const headers = { 'content-type': type, accept };
      const answer = await app.inject({ method: 'POST', url: '/pets', headers, payload });
      expect(answer.statusCode).toBe(400);
      const format = accept === XML ? 'xml' : 'json';
      expect(answer.headers['content-type']).toBe(`application/problem+${format}`);
      // Bounded, whatever was sent: no fault is told a thousand times, and no body is told back.
      expect(answer.body.length).toBeLessThan(30_000);
      expect(answer.body).not.toMatch(/root:|\.ts:\d|node_modules|RangeError|SyntaxError/);
    }
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  },
);
