// autocannon has no types of its own; here is what bench/load.ts uses of it.
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  function autocannon(options: autocannon.Options): EventEmitter & PromiseLike<autocannon.Result>;

  namespace autocannon {
    interface Request {
      method: 'GET' | 'POST';
      path: string;
      headers: Record<string, string>;
      body?: string;
      onResponse?: (status: number, body: string) => void;
    }
    interface Client {
      setRequests(requests: Request[]): void;
    }
    interface Options {
      url: string;
      connections: number;
      /** In seconds. */
      duration: number;
      setupClient: (client: Client) => void;
    }
    interface Result {
      errors: number;
      statusCodeStats: Record<string, { count: number }>;
    }
  }

  export = autocannon;
}
