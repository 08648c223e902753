/** Where the published server of this API is mounted. */
const PUBLISHED_BASE = '/api/v3';

/**
 * Leads published clients home, by the address of a request: they know the service under /api/v3,
 * and pets as /pet. Every other address stays as it is.
 */
export function petstoreAliases(basePath: string): (url: string) => string {
  return (url) => {
    const base = [`${PUBLISHED_BASE}/`, `${basePath}/`].find((prefix) => url.startsWith(prefix));
    if (base === undefined) return url;
    const path = url.slice(base.length - 1);
    if (base.startsWith(PUBLISHED_BASE) && /^\/openapi\.(json|yaml)$/.test(path))
      return path.replace('.', '/petstore.');
    return basePath + path.replace(/^\/pet(?=[/?]|$)/, '/pets');
  };
}
