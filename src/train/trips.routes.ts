import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { batchById } from '../platform/database/batch.ts';
import { problemResponses } from '../platform/documents/problem-responses.ts';
import { notModified, sendTagged } from '../platform/http/etag.ts';
import { pageWindow, paginate } from '../platform/http/pagination.ts';
import { notFound } from '../platform/problems/problems.ts';
import type { TrainRoutes } from './index.ts';
import { findTrips, listTrips, type TripRow } from './trips.queries.ts';
import { type Trip, TripCollection, TripParams, TripQuery } from './trips.schemas.ts';

/** The Trip of the API. */
const toTrip = (row: TripRow, baseUrl: string): Trip => ({
  id: row.id,
  origin: row.origin_id,
  destination: row.destination_id,
  departure_time: row.departure_time.toISOString(),
  arrival_time: row.arrival_time.toISOString(),
  operator: row.operator,
  price: row.price_cents / 100,
  currency: row.currency,
  bicycles_allowed: row.bicycles_allowed,
  dogs_allowed: row.dogs_allowed,
  seats_available: row.seats_available,
  links: {
    self: `${baseUrl}/trips/${row.id}`,
    origin: `${baseUrl}/stations/${row.origin_id}`,
    destination: `${baseUrl}/stations/${row.destination_id}`,
  },
});

export const tripRoutes: FastifyPluginAsyncTypebox<TrainRoutes> = async (
  app,
  { database: { reads }, baseUrl, publicUrl },
) => {
  const findTrip = batchById((ids) => findTrips(reads, ids));

  app.get(
    '/trips',
    {
      schema: {
        operationId: 'get-trips',
        summary: 'Get available train trips',
        description:
          'Direct trains from one station to another on one day, by departure, each with its price and its free seats. Trips without a free seat are left out. Trips exist for the next 60 days, unless the server is set up otherwise; those of 2024-02-01 are examples that can be booked for ever. Anybody may ask.',
        tags: ['Trips'],
        security: [],
        querystring: TripQuery,
        response: { 200: TripCollection, ...problemResponses(400, 401) },
      },
    },
    async (request, reply) => {
      const { origin, destination, date, bicycles = false, dogs = false } = request.query;
      const window = pageWindow(request.query);
      const rows = await listTrips(reads, { origin, destination, date, bicycles, dogs, ...window });
      reply.header('cache-control', 'no-cache');
      const trips = rows.map((row) => toTrip(row, baseUrl));
      return paginate(trips, request.query, publicUrl + request.url);
    },
  );

  app.get(
    '/trips/:tripId',
    {
      schema: {
        operationId: 'get-trip',
        summary: 'Get a train trip',
        description:
          'One trip with its free seats at this moment, sold out or not. Anybody may ask.',
        tags: ['Trips'],
        security: [],
        params: TripParams,
        response: { 200: Type.Ref('Trip'), ...notModified, ...problemResponses(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { tripId } = request.params;
      const row = await findTrip(tripId);
      if (!row) throw notFound(`There is no trip ${tripId}.`);
      reply.header('cache-control', 'no-cache');
      return sendTagged(request, reply, toTrip(row, baseUrl));
    },
  );
};
