import type { Fault } from '../platform/problems/problems.ts';
import { fold } from './names.ts';

/** A fault for each text that came before; case and outer space make no difference. */
export function faultsOfTwins(texts: string[], pointer: (index: number) => string): Fault[] {
  const first = new Map<string, number>();
  return texts.flatMap((text, index) => {
    const twin = first.get(fold(text));
    if (twin !== undefined)
      return [{ pointer: pointer(index), detail: `must not be the same as ${pointer(twin)}` }];
    first.set(fold(text), index);
    return [];
  });
}
