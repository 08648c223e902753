import { v7 } from 'uuid';

/** A new UUIDv7: rises with time, so that index pages fill in order. */
export const newId = (): string => v7();
