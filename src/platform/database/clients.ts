import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';

// Both engines answer alike, whatever the process's timezone: a date stays text, int8 a number.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 out of range: ${text}`);
  return value;
});

/** Statements that are prepared by name; texts beyond the cap go unnamed, so memory is bounded. */
const STATEMENT_NAMES = 500;
const statementNames = new Map<string, string>();

function statementName(text: string): string | undefined {
  const known = statementNames.get(text);
  if (known !== undefined || statementNames.size >= STATEMENT_NAMES) return known;
  const name = `q${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}

/** How long a connection that is closed may take to say so. */
const GOODBYE_MS = 1000;

/** Prepares each parameterised statement once a connection: planned once, sent by its name. */
export class NamingClient extends pg.Client {
  // oxlint-disable-next-line typescript/no-explicit-any -- pg overloads `query` eight ways
  override query(text: any, values?: any, callback?: any): any {
    const isParameterised = typeof text === 'string' && Array.isArray(values) && values.length > 0;
    const name = isParameterised && !callback ? statementName(text) : undefined;
    const result =
      name === undefined
        ? super.query(text, values, callback)
        : (super.query({ name, text, values }) as Promise<unknown>);
    if (result instanceof Promise) result.catch((error: Error) => this.#endWhenSilent(error));
    return result;
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- with and without a callback
  override end(callback?: any): any {
    // The other side says goodbye too, unless it went silent.
    const timer = setTimeout(() => this.#socket.destroy(), GOODBYE_MS).unref();
    this.once('end', () => clearTimeout(timer));
    return super.end(callback);
  }

  get #socket(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream;
  }

  /** A connection that went silent answers nobody: the next query on it would wait in vain. */
  #endWhenSilent(error: Error): void {
    if (error.message === 'Query read timeout') this.#socket.destroy();
  }
}

/** A connection that many use at a time, for single statements: what a pool hands out, but for good. */
export class SharedClient extends NamingClient {
  release(): void {}
}

/**
 * The embedded engine answers within microtasks; without a turn of the event loop after each query,
 * a busy server would starve its timers and sockets.
 */
export class YieldingClient extends NamingClient {
  // oxlint-disable-next-line typescript/no-explicit-any -- see NamingClient
  override query(text: any, values?: any, callback?: any): any {
    const result = super.query(text, values, callback);
    return result instanceof Promise ? yieldAfter(result) : result;
  }
}

async function yieldAfter<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } finally {
    await nextTurn();
  }
}
