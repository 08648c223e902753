const text = (description: string, example: string, more = {}) => ({
  description,
  schema: { type: 'string', ...more },
  example,
});

/** Every header of an answer that the documents tell of; those that always come are required. */
export const HEADERS = {
  RateLimit: text(
    'What is left of the quota: requests in a window, requests left, seconds until it is full again.',
    'limit=6000, remaining=5999, reset=60',
  ),
  'RateLimit-Policy': text('The quota: requests in a window of `w` seconds.', '6000;w=60'),
  'X-Request-Id': {
    ...text(
      'Names the request in the log of the server. It is the one that was sent, if any was.',
      '5a1f0e0c-7d0a-4a30-9a55-3c2b3f0f6a11',
    ),
    required: true,
  },
  'Cache-Control': {
    ...text('Who may keep the answer, and how long.', 'private, no-cache'),
    required: true,
  },
  ETag: text('Strong entity tag, for If-None-Match and If-Match.', '"KnrJqv5Ok6KJ1F7XIGy-BbuD9gk"'),
  'Last-Modified': text('When it last changed.', 'Thu, 01 Feb 2024 09:00:00 GMT'),
  Location: {
    ...text('The address of what was made.', 'https://example.com/made', { format: 'uri' }),
    required: true,
  },
  Link: text(
    'What is beside this (RFC 8288): the pages `next` and `prev` of a list, where there are any, or a `successor-version`.',
    '<https://example.com/list?page=2>; rel="next"',
  ),
  'Idempotency-Replayed': text(
    '`true` on a stored answer: the effect happened when the key first came.',
    'true',
  ),
  'Retry-After': {
    description: 'After how many seconds to try again.',
    schema: { type: 'integer', minimum: 0 },
    example: 5,
  },
  'WWW-Authenticate': text(
    'The scheme that is wanted, and what is wrong with what was sent.',
    'Bearer realm="quartet"',
  ),
  Accept: text('The formats that a body can have here.', 'application/json'),
  'Accept-Ranges': text('Parts can be asked for.', 'bytes'),
  'Content-Disposition': text('Under which name to save it.', 'attachment; filename="file"'),
  'Content-Range': text('Which part this is.', 'bytes 0-99/1234'),
  Deprecation: text('Since when it is deprecated (RFC 9745).', '@1767225600'),
  Sunset: text('When it goes (RFC 8594).', 'Thu, 31 Dec 2026 23:59:59 GMT'),
  'Set-Cookie': text('The session, for browsers.', 'petstore_session=…; HttpOnly; SameSite=Strict'),
  'X-Expires-After': text('When the session ends.', '2024-02-01T10:00:00.000Z', {
    format: 'date-time',
  }),
  'X-Rate-Limit': {
    description: 'Requests an hour that are allowed.',
    schema: { type: 'integer' },
    example: 360000,
  },
} as const;

export type HeaderName = keyof typeof HEADERS;

/** For the `headers` of a response schema: what it has beside those that its status implies. */
export const headersNamed = (...names: HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { type: 'string' }]));

/** What an answer has by its status, and by what else its operation can answer. */
export function impliedHeaders(
  method: string,
  status: string,
  statuses: Set<string>,
): HeaderName[] {
  const names: HeaderName[] = ['RateLimit', 'RateLimit-Policy', 'X-Request-Id', 'Cache-Control'];
  const isSuccess = status.startsWith('2');
  if (status === '201') names.push('Location');
  const isTagged = method === 'get' ? statuses.has('304') : statuses.has('412');
  if (status === '304' || (isSuccess && isTagged && method !== 'delete')) names.push('ETag');
  if (isSuccess && statuses.has('422')) names.push('Idempotency-Replayed');
  if (status === '415') names.push('Accept');
  if (status === '401' || status === '403') names.push('WWW-Authenticate');
  if (status === '429' || status === '503' || (status === '409' && statuses.has('422')))
    names.push('Retry-After');
  return names;
}

/** Request headers that an operation takes by what it can answer. */
const REQUEST_HEADERS = {
  '422': {
    name: 'Idempotency-Key',
    description:
      'Makes it safe to send the request again: for a day the same key and body get the same answer, and the effect happens once.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
    example: '0190f3a2-7c1e-7b4a-9d3e-5f6a7b8c9d0e',
  },
  '304': {
    name: 'If-None-Match',
    description: 'The ETag of what you have; 304 without a body where it is still the same.',
    schema: { type: 'string' },
    example: '"KnrJqv5Ok6KJ1F7XIGy-BbuD9gk"',
  },
  '412': {
    name: 'If-Match',
    description: 'The ETag of what you have seen; 412, and no change, where it is another by now.',
    schema: { type: 'string' },
    example: '"KnrJqv5Ok6KJ1F7XIGy-BbuD9gk"',
  },
};

export const requestHeaders = (statuses: Set<string>) =>
  Object.entries(REQUEST_HEADERS)
    .filter(([status]) => statuses.has(status))
    .map(([, { name, ...rest }]) => ({ in: 'header', name, required: false, ...rest }));
