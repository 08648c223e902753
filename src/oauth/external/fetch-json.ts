const MAX_BYTES = 512 * 1024;

/**
 * GETs a JSON object, within `deadlineMs` and 512 KiB in all, without following a redirect. Throws where it
 * gets anything else.
 */
export async function fetchJson(url: string, deadlineMs: number): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(deadlineMs),
  });
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel();
    throw new Error(`${url} answered ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`${url} answered more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${url} answered no JSON object`);
  return value as Record<string, unknown>;
}
