import { createServer, type ServerResponse } from 'node:http';
import pg from 'pg';

// The naive floor that GET /bookings/{id} is compared with: one named query a request, the row as it
// is, no authentication, no validation, no log. What an afternoon's work would be.

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const PREFIX = '/bookings/';

async function answer(url: string, response: ServerResponse): Promise<void> {
  if (!url.startsWith(PREFIX)) return void response.end();
  try {
    const { rows } = await pool.query({
      name: 'booking',
      text: `select id, trip_id, passenger_name, has_bicycle, has_dog, status, expires_at,
                    price_cents, currency
             from train.bookings where id = $1`,
      values: [url.slice(PREFIX.length)],
    });
    const body = JSON.stringify(rows[0]);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
}

const server = createServer((request, response) => void answer(request.url ?? '', response));
server.listen(Number(process.env['PORT']), '127.0.0.1');

process.once('SIGTERM', () => process.exit());
