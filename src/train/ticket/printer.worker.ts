import { parentPort } from 'node:worker_threads';
import { ticketPdf } from './pdf.ts';
import type { TicketRow } from './ticket.queries.ts';

export interface PrintJob {
  id: number;
  ticket: TicketRow;
}

export interface PrintResult {
  id: number;
  pdf?: Uint8Array;
  error?: unknown;
}

const answer = (result: PrintResult) => parentPort?.postMessage(result);

async function print({ id, ticket }: PrintJob): Promise<void> {
  try {
    answer({ id, pdf: await ticketPdf(ticket) });
  } catch (error) {
    answer({ id, error });
  }
}

parentPort?.on('message', (job: PrintJob) => void print(job));
