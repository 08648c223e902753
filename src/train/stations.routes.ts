import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { batchById } from '../platform/database/batch.ts';
import { problemResponses } from '../platform/documents/problem-responses.ts';
import { notModified, sendTagged } from '../platform/http/etag.ts';
import { pageWindow, paginate } from '../platform/http/pagination.ts';
import { notFound } from '../platform/problems/problems.ts';
import type { TrainRoutes } from './index.ts';
import { searchText } from './search-text.ts';
import { findStations, listStations } from './stations.queries.ts';
import { StationCollection, StationParams, StationQuery } from './stations.schemas.ts';

export const stationRoutes: FastifyPluginAsyncTypebox<TrainRoutes> = async (
  app,
  { database: { reads }, publicUrl },
) => {
  const findStation = batchById((ids) => findStations(reads, ids));
  app.addSchema(StationCollection);

  app.get(
    '/stations',
    {
      schema: {
        operationId: 'get-stations',
        summary: 'Get a list of train stations',
        description:
          'All stations, the busiest first, or those that a search, a place or a country leaves. The filters can be combined: `coordinates` then gives the order. Anybody may ask; answers may be cached for five minutes.',
        tags: ['Stations'],
        security: [],
        querystring: StationQuery,
        response: { 200: StationCollection, ...problemResponses(400, 401) },
      },
    },
    async (request, reply) => {
      const { search, coordinates, country } = request.query;
      const [latitude, longitude] = coordinates?.split(',').map(Number) ?? [];
      const rows = await listStations(reads, {
        ...pageWindow(request.query),
        ...(search !== undefined && { search: searchText(search) }),
        ...(latitude !== undefined && longitude !== undefined && { near: { latitude, longitude } }),
        ...(country !== undefined && { country: country.toUpperCase() }),
      });
      reply.header('cache-control', 'public, max-age=300');
      return paginate(rows, request.query, publicUrl + request.url);
    },
  );

  app.get(
    '/stations/:stationId',
    {
      schema: {
        operationId: 'get-station',
        summary: 'Get a train station',
        description:
          'One station, by the id that lists and the links of a trip give. Anybody may ask.',
        tags: ['Stations'],
        security: [],
        params: StationParams,
        response: { 200: Type.Ref('Station'), ...notModified, ...problemResponses(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { stationId } = request.params;
      const station = await findStation(stationId);
      if (!station) throw notFound(`There is no station ${stationId}.`);
      reply.header('cache-control', 'public, max-age=300');
      return sendTagged(request, reply, station);
    },
  );
};
