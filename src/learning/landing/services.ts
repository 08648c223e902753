import { readFileSync } from 'node:fs';

/** What the landing page has to know of the server. */
export interface LandingConfig {
  NODE_ENV: string;
  PUBLIC_URL: string;
  OAUTH_ISSUER?: string;
  TRAIN_BASE_PATH: string;
  PETSTORE_BASE_PATH: string;
  MUSEUM_BASE_PATH: string;
  LEARNING_BASE_PATH: string;
}

export interface Service {
  name: string;
  description: string;
  /** What every path of it stands behind. */
  base: string;
  /** Its OpenAPI document. */
  document: string;
  /** The same for people. */
  docs: string;
}

const { version, description } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as { version: string; description: string };

/** What this server is, and where its services are. */
export const describeServer = (config: LandingConfig) => ({
  name: 'Quartet',
  version,
  description,
  services: listServices(config),
});

function listServices(config: LandingConfig): Service[] {
  const { PUBLIC_URL } = config;
  const service = (slug: string, basePath: string, name: string, description: string) => ({
    name,
    description,
    base: PUBLIC_URL + basePath,
    document: `${PUBLIC_URL}/openapi/${slug}.json`,
    docs: `${PUBLIC_URL}/docs?api=${slug}`,
  });
  return [
    service(
      'train',
      config.TRAIN_BASE_PATH,
      'Train Travel',
      'Find trains across Europe, hold a seat, pay for it.',
    ),
    service(
      'petstore',
      config.PETSTORE_BASE_PATH,
      'Petstore',
      'Pets, orders and users, in JSON, XML and forms.',
    ),
    service(
      'museum',
      config.MUSEUM_BASE_PATH,
      'Museum',
      'Opening hours, special events, tickets for a wallet.',
    ),
    service(
      'learning',
      config.LEARNING_BASE_PATH,
      'Learning',
      'Activities in; scores, badges and reports out.',
    ),
  ];
}
