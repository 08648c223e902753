import { lookup as systemLookup, Resolver } from 'node:dns/promises';

/** Every address of a host name, in the order in which to try them; throws where there is none. */
export type Lookup = (hostname: string) => Promise<string[]>;

/** Names of this machine or its network: they may stand in its own files only. */
const LOCAL = /^[^.]+\.?$|\.(localhost|local|internal)\.?$/i;

/**
 * Asks name servers without a thread. The system's own way takes one of the process's four for every
 * name until it is answered: a few names whose servers are silent would hold up all other names, and
 * the verification of tokens. `servers`: instead of the system's, in tests.
 */
export function createLookup(servers?: string[]): Lookup {
  const resolver = new Resolver({ timeout: 1500, tries: 2 });
  if (servers) resolver.setServers(servers);
  const askSystem: Lookup = async (hostname) =>
    (await systemLookup(hostname, { all: true })).map(({ address }) => address);

  return async (hostname) => {
    if (LOCAL.test(hostname)) return askSystem(hostname);
    const answers = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
    if (addresses.length > 0) return addresses;
    const silent = answers.find(
      (answer) => answer.status === 'rejected' && answer.reason.code === 'ETIMEOUT',
    );
    if (silent?.status === 'rejected') throw silent.reason;
    // Answered, but not known there: it may stand in the hosts file, which is quickly read.
    return askSystem(hostname);
  };
}
