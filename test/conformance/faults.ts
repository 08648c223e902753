/** Of answers that no caller could be told of; the test that is running is. */
let pending: string[] = [];

export const addFaults = (faults: string[]): void => void pending.push(...faults);

/** What is wrong with the answers over sockets since this was last asked. */
export function takeFaults(): string[] {
  const taken = pending;
  pending = [];
  return taken;
}

/** Throws where there are any. */
export function refuseFaults(faults: string[]): void {
  const each = [...new Set(faults)];
  if (each.length > 0)
    throw new Error(`The documents do not have what was answered:\n${each.join('\n')}`);
}
