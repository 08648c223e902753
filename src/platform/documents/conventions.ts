export interface Conventions {
  /** Origin of the pages that explain problems. */
  publicUrl: string;
  /** How lists are paged here: the sentences of that section. */
  paging: string;
  /** The service reads and writes XML besides JSON. */
  hasXml?: boolean;
  /** What is made here never changes, so that nothing takes If-Match. */
  isFixed?: boolean;
}

/** What headers do, by their names. */
const HEADERS = {
  RateLimit:
    'On every answer: the requests that you have left, and in how many seconds the quota is full again. It is counted by credential, or else by address. Without any left the answer is 429, and `Retry-After` says when to go on.',
  'ETag, If-None-Match':
    'Send back the tag of what you have: 304 without a body means that it is still the same.',
  'If-Match':
    'Send the tag of what you have seen with a change: 412 means that somebody was faster, and that nothing was changed.',
  'Idempotency-Key':
    'With a POST that creates or pays, a new UUID of your own for each request makes it safe to repeat: for a day the same key and body get the stored answer (`Idempotency-Replayed: true`), and the effect happens once. The same key with another body is 422.',
  'X-Request-Id':
    'On every answer: names the request in the log of the server. Send your own, up to 64 letters and digits, and it is kept.',
};

/**
 * What operations of every service have in common, as the Markdown that ends the introduction of a
 * document: errors, pages, and what headers do.
 */
export function conventions({ publicUrl, paging, hasXml, isFixed }: Conventions): string {
  const format = hasXml
    ? '`application/problem+json`, or `application/problem+xml` where `Accept` prefers XML'
    : '`application/problem+json`';
  const rows = Object.entries(HEADERS)
    .filter(([name]) => !(isFixed && name === 'If-Match'))
    .map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  return `## Errors

An error is a problem (RFC 9457), sent as ${format}. Its \`type\` is the address of a page that explains it, \`detail\` says what to change in this request, and \`errors\` names every fault at once, by its place in the body (\`pointer\`) or by the name of the parameter. A refused request changes nothing. [All kinds of problems](${publicUrl}/problems) are on one page.

## Lists

${paging} Beyond the last page a list is empty, not an error.

## Headers

| Header | What it does |
|---|---|
${rows.join('\n')}

Members that are not known are refused in bodies and ignored in queries. Times are RFC 3339 in UTC. \`HEAD\` works wherever \`GET\` does.`;
}
