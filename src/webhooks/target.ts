import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import { createLookup, type Lookup } from './lookup.ts';

export interface TargetOptions {
  NODE_ENV: string;
  WEBHOOK_ALLOWED_NETWORKS?: string;
}

/** Decides which addresses webhooks may go to. */
export interface Targets {
  /** Why `url` cannot be a target, for its owner to read; undefined where it can. */
  findFault(url: string): Promise<string | undefined>;
  /** For undici: connects to addresses that were checked, and to no other. */
  connect: buildConnector.connector;
}

/** The target leads to an address that is not allowed; nothing was sent. */
export class ForbiddenTargetError extends Error {}

const NOT_PUBLIC =
  'leads to an address that is not public; WEBHOOK_ALLOWED_NETWORKS of the server allows others';

/** All that is given out as public so far; what lies outside is reserved or translated to IPv4. */
const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3');

const CONNECT_MS = 5000;
/** Addresses of one name that are tried. */
const MOST_ADDRESSES = 4;
const LOOKUP_MS = 3000;

const contains = (
  networks: ReturnType<typeof ipaddr.parseCIDR>[],
  address: ipaddr.IPv4 | ipaddr.IPv6,
) =>
  networks.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  );

/** Public unicast addresses, those of `WEBHOOK_ALLOWED_NETWORKS`, and outside production loopback. */
export function createTargets(
  { NODE_ENV, WEBHOOK_ALLOWED_NETWORKS }: TargetOptions,
  lookup: Lookup = createLookup(),
): Targets {
  const allowed = (WEBHOOK_ALLOWED_NETWORKS?.split(',') ?? []).map((network) =>
    ipaddr.parseCIDR(network),
  );
  const allowsLoopback = NODE_ENV !== 'production';

  /** Of an address in its usual spelling, as name servers and the URL parser write it. */
  function isAllowed(text: string): boolean {
    if (isIP(text) === 0) return false;
    const written = ipaddr.parse(text);
    const address = ipaddr.process(text); // an IPv4 address within an IPv6 one counts as itself
    if (contains(allowed, written) || contains(allowed, address)) return true;
    if (allowsLoopback && address.range() === 'loopback') return true;
    return (
      address.range() === 'unicast' &&
      (address.kind() === 'ipv4' || contains([PUBLIC_IPV6], address))
    );
  }

  /** The addresses behind `hostname`, all of them allowed; throws ForbiddenTargetError. */
  async function resolve(hostname: string): Promise<string[]> {
    const literal = hostname.replace(/^\[(.*)\]$/, '$1');
    const addresses = isIP(literal) ? [literal] : await lookup(hostname);
    if (!addresses.every(isAllowed)) throw new ForbiddenTargetError(NOT_PUBLIC);
    // To connect to no address would be to connect to this machine.
    if (addresses.length === 0) throw Object.assign(new Error(), { code: 'ENOTFOUND' });
    return addresses.slice(0, MOST_ADDRESSES);
  }

  const open = buildConnector({ timeout: CONNECT_MS });

  return {
    async findFault(text) {
      let url: URL;
      try {
        url = new URL(text);
      } catch {
        return 'must be an absolute URL';
      }
      if (!/^https?:$/.test(url.protocol)) return 'must begin with https:// or http://';
      if (url.username || url.password) return 'must not hold a user name or password';
      if (url.hash) return 'must not have a fragment (#)';
      const timeout = new Promise<[]>((done) => void setTimeout(done, LOOKUP_MS, []).unref());
      try {
        await Promise.race([resolve(url.hostname), timeout]);
      } catch (error) {
        if (error instanceof ForbiddenTargetError) return error.message;
        // A name that is not known yet: every connection is checked anyway.
      }
      return undefined;
    },

    connect(options, callback) {
      const attempt = ([hostname = '', ...others]: string[]): void =>
        open({ ...options, hostname }, (...result) =>
          result[0] && others.length > 0 ? attempt(others) : callback(...result),
        );
      resolve(options.hostname).then(attempt, (error: Error) => callback(error, null));
    },
  };
}
