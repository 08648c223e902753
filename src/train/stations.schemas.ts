import { type Static, Type } from '@sinclair/typebox';
import { PageQuery } from '../platform/http/pagination.ts';

export const Station = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Identifier of the station.' }),
    name: Type.String({ description: 'Its name, with all its accents.' }),
    address: Type.String({ description: 'Street, postcode and city.' }),
    country_code: Type.String({
      pattern: '^[A-Z]{2}$',
      description: 'ISO 3166-1 alpha-2 code of the country.',
    }),
    timezone: Type.String({ description: 'IANA timezone of its clocks.' }),
    latitude: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees north (WGS 84).' }),
    longitude: Type.Number({
      minimum: -180,
      maximum: 180,
      description: 'Degrees east (WGS 84).',
    }),
  },
  {
    $id: 'Station',
    description: 'A train station.',
  },
);
export type Station = Static<typeof Station>;

export const StationCollection = Type.Object(
  {
    data: Type.Array(Type.Ref('Station'), { description: 'The stations of this page.' }),
    links: Type.Ref('Links-Pagination'),
  },
  { $id: 'Station-Collection', description: 'One page of stations.' },
);

export const StationParams = Type.Object({
  stationId: Type.String({
    format: 'uuid',
    description: 'Identifier of the station.',
    examples: ['efdbb9d1-02c2-4bc3-afb7-6788d8782b1e'],
  }),
});

const COORDINATES =
  '^[+-]?(90(\\.0+)?|[1-8]?\\d(\\.\\d{1,12})?),\\s?[+-]?(180(\\.0+)?|(1[0-7]\\d|[1-9]?\\d)(\\.\\d{1,12})?)$';

export const StationQuery = Type.Object({
  ...PageQuery,
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '[\\p{L}\\p{N}]',
      'x-takes': 'text with at least one letter or digit',
      description:
        'Words of the name or address. Case and accents do not matter; where nothing contains the words, near misses are found.',
      examples: ['munchen', 'berln'],
    }),
  ),
  coordinates: Type.Optional(
    Type.String({
      pattern: COORDINATES,
      'x-takes':
        'a latitude from -90 to 90 and a longitude from -180 to 180, such as 52.5200,13.4050',
      description: 'Latitude and longitude in degrees; the nearest stations come first.',
      examples: ['52.5200,13.4050'],
    }),
  ),
  country: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2}$',
      'x-takes': 'an ISO 3166-1 alpha-2 code such as DE',
      description: 'Only stations of this country.',
      examples: ['DE'],
    }),
  ),
});
export type StationQuery = Static<typeof StationQuery>;
