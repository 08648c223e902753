import { crc32, deflateSync } from 'node:zlib';

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A grey PNG of one pixel; `extra` goes into a chunk of text. */
export function png(extra = ''): Buffer {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...(extra === '' ? [] : [chunk('tEXt', Buffer.from(`Comment\0${extra}`, 'latin1'))]),
    chunk('IDAT', deflateSync(Buffer.from([0, 128]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A transparent GIF of one pixel. */
export const GIF = Buffer.from(
  'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'base64',
);

/** A lossless WebP of one pixel. */
export const WEBP = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');

const segment = (marker: number, data: number[]): number[] => [
  0xff,
  marker,
  0,
  data.length + 2,
  ...data,
];

/** A JPEG as its structure goes: tables, a frame, a scan with stuffed bytes and a restart. */
export const JPEG = Buffer.from([
  ...[0xff, 0xd8],
  ...segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
  ...segment(0xdb, [0, ...Array<number>(64).fill(1)]),
  ...segment(0xc0, [8, 0, 1, 0, 1, 1, 1, 0x11, 0]),
  ...segment(0xc4, [0, ...Array<number>(16).fill(0)]),
  ...segment(0xda, [1, 1, 0, 0, 63, 0]),
  ...[0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56],
  ...[0xff, 0xd9],
]);

export const IMAGES = [
  ['image/png', png()],
  ['image/jpeg', JPEG],
  ['image/gif', GIF],
  ['image/webp', WEBP],
] as const;

/** A multipart body with the file and the fields. */
export function multipart(
  file: Buffer | undefined,
  {
    fileName = 'image.png',
    fields = {},
  }: { fileName?: string; fields?: Record<string, string> } = {},
) {
  const boundary = 'a-boundary';
  const parts: Buffer[] = Object.entries(fields).map(([name, value]) =>
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
  );
  if (file)
    parts.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
      ),
      file,
      Buffer.from('\r\n'),
    );
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
