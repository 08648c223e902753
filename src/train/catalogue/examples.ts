/** A trip of the published examples; times are RFC 3339. */
export interface ExampleTrip {
  id: string;
  origin_id: string;
  destination_id: string;
  departure_time: string;
  arrival_time: string;
  operator: string;
  price_cents: number;
  bicycles_allowed: boolean;
  dogs_allowed: boolean;
  capacity: number;
}

const BERLIN = 'efdbb9d1-02c2-4bc3-afb7-6788d8782b1e';
const PARIS = 'b2e783e1-c824-4d63-b37a-d8d698862f1d';

const example = (
  id: string,
  [origin_id, destination_id]: [string, string],
  [departs, arrives]: [string, string],
  operator: string,
): ExampleTrip => ({
  id,
  origin_id,
  destination_id,
  departure_time: `2024-02-01T${departs}:00Z`,
  arrival_time: `2024-02-01T${arrives}:00Z`,
  operator,
  price_cents: 5000,
  bicycles_allowed: true,
  dogs_allowed: true,
  capacity: 1000,
});

export const EXAMPLE_TRIPS: ExampleTrip[] = [
  example(
    'ea399ba1-6d95-433f-92d1-83f67b775594',
    [BERLIN, PARIS],
    ['10:00', '16:00'],
    'Deutsche Bahn',
  ),
  example('4d67459c-af07-40bb-bb12-178dbb88e09f', [BERLIN, PARIS], ['12:00', '18:00'], 'SNCF'),
  example('0194a1f0-7a00-7c3e-8f10-2d5b6a9c4e01', [PARIS, BERLIN], ['10:00', '16:00'], 'SNCF'),
  example(
    '0194a1f0-7a00-7c3e-8f10-2d5b6a9c4e02',
    [PARIS, BERLIN],
    ['12:00', '18:00'],
    'Deutsche Bahn',
  ),
];
