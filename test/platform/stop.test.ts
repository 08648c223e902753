import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'node:http';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { CARD, EXAMPLE_TRIP } from '../given.ts';
import { createDatabase } from '../harness.ts';
import { book, demoToken, startProgram } from './program.ts';

const SLOW_CARD = { ...CARD, number: '4000000000000259' };

describe('SIGTERM', () => {
  it('finishes what is in flight, takes nothing new, and ends well and soon', async () => {
    await using database = await createDatabase();
    await using program = await startProgram({ ...database.env, SHUTDOWN_SECONDS: '300' });
    await program.ready();
    const headers = await demoToken(program.url);
    const booking = (await (await book(program.url, headers, EXAMPLE_TRIP)).json()) as {
      id: string;
      price: number;
    };
    // Clients that keep their connections: one with a request under way, one idle.
    await using agents = keepAliveAgents();
    const idle = request(`${program.url}/livez`, { agent: agents.idle }).end();
    const [idleAnswer] = await once(idle, 'response');
    idleAnswer.resume();
    await once(idleAnswer, 'end');
    const payment = request(`${program.url}/bookings/${booking.id}/payment`, {
      method: 'POST',
      agent: agents.busy,
      headers: { ...headers, 'content-type': 'application/json' },
    });
    payment.end(JSON.stringify({ amount: booking.price, currency: 'eur', source: SLOW_CARD }));
    await sleep(1000);
    program.kill('SIGTERM');
    await sleep(200);
    const unready = await fetch(`${program.url}/readyz`).then(
      ({ status }) => status,
      () => 'closed',
    );
    expect([503, 'closed']).toContain(unready);

    const [answer] = await once(payment, 'response');
    const body = await new Response(answer).json();
    expect(answer.statusCode).toBe(200);
    expect(body).toMatchObject({ status: 'succeeded' });

    expect(await program.exited).toBe(0);
    expect(program.stdout()).toContain('"msg":"stopped"');
    expect(program.stderr()).toBe('');
  });

  it('also ends a process whose request outlasts the time it has', async () => {
    await using database = await createDatabase();
    await using program = await startProgram({ ...database.env, SHUTDOWN_SECONDS: '1' });
    await program.ready();
    const headers = await demoToken(program.url);
    const booking = (await (await book(program.url, headers, EXAMPLE_TRIP)).json()) as {
      id: string;
      price: number;
    };
    const payment = fetch(`${program.url}/bookings/${booking.id}/payment`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: booking.price, currency: 'eur', source: SLOW_CARD }),
    }).catch(() => 'cut off');
    await sleep(500);
    program.kill('SIGTERM');
    expect(await program.exited).toBe(1);
    expect(await payment).toBe('cut off');
  });
});

function keepAliveAgents() {
  const busy = new Agent({ keepAlive: true });
  const idle = new Agent({ keepAlive: true });
  return {
    busy,
    idle,
    async [Symbol.asyncDispose]() {
      busy.destroy();
      idle.destroy();
    },
  };
}
