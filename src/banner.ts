import type { Config } from './config.ts';

/** What a developer sees at start: where it is, and the line that gets the first token. */
export function banner(config: Config, engine: 'postgresql' | 'embedded'): string {
  const { PUBLIC_URL, DATA_DIR, TRAIN_BASE_PATH } = config;
  const storage = engine === 'embedded' ? `embedded, in ${DATA_DIR}` : 'PostgreSQL';
  return `
Quartet is at ${PUBLIC_URL} (database: ${storage}).

Get a token:
  curl -s -u quartet-demo:demo-secret -d grant_type=client_credentials -d 'scope=read write' ${PUBLIC_URL}/oauth/token

Find a station:
  curl -s '${PUBLIC_URL}${TRAIN_BASE_PATH}/stations?search=berlin'
`;
}
