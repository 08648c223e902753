import { Worker } from 'node:worker_threads';
import type { PrintJob, PrintResult } from './printer.worker.ts';
import type { TicketRow } from './ticket.queries.ts';

/** Makes PDFs on a thread of its own: fonts and layout would hold the event loop up. */
export interface Printer {
  print(ticket: TicketRow): Promise<Buffer>;
}

/**
 * The thread starts with the first ticket, and after `idleMs` without one it ends and gives its memory
 * back. One that breaks fails what it had to do; the next ticket starts another.
 */
export function createPrinter(idleMs = 60_000): Printer {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let count = 0;
  const waiting = new Map<number, Pick<PromiseWithResolvers<Buffer>, 'resolve' | 'reject'>>();

  const start = (): Worker => {
    const started = new Worker(new URL('./printer.worker.ts', import.meta.url));
    const failAll = (error: unknown) => {
      if (worker !== started) return;
      worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    const end = () => {
      worker = undefined;
      void started.terminate();
    };
    started.on('message', ({ id, pdf, error }: PrintResult) => {
      const job = waiting.get(id);
      waiting.delete(id);
      if (waiting.size === 0) idle = setTimeout(end, idleMs).unref();
      if (pdf) job?.resolve(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength));
      else job?.reject(error);
    });
    started.on('error', failAll);
    started.on('exit', (code) => failAll(new Error(`The thread for tickets ended (${code}).`)));
    // A process whose server has stopped does not wait for it.
    started.unref();
    return started;
  };

  return {
    async print(ticket) {
      clearTimeout(idle);
      worker ??= start();
      const id = count++;
      worker.postMessage({ id, ticket } satisfies PrintJob);
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
  };
}
