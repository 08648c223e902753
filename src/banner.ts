import type { Config } from './config.ts';

/** What a developer sees at start: where it is, and the line that gets the first token. */
export function banner(config: Config, engine: 'postgresql' | 'embedded'): string {
  const { PUBLIC_URL, DATA_DIR, OAUTH_ISSUER } = config;
  const { TRAIN_BASE_PATH, PETSTORE_BASE_PATH, MUSEUM_BASE_PATH, LEARNING_BASE_PATH } = config;
  const storage = engine === 'embedded' ? `embedded, in ${DATA_DIR}` : 'PostgreSQL';
  const token = OAUTH_ISSUER
    ? `Tokens are those of ${OAUTH_ISSUER}.`
    : `Get a token, here or in a browser at ${PUBLIC_URL}/login (demo@example.com, demo):
  curl -s -u quartet-demo:demo-secret -d grant_type=client_credentials -d 'scope=read write' ${PUBLIC_URL}/oauth/token`;
  return `
Quartet is at ${PUBLIC_URL} (database: ${storage}).

${token}

Find a station:
  curl -s '${PUBLIC_URL}${TRAIN_BASE_PATH}/stations?search=berlin'

List the museum's special events, as its staff:
  curl -s -u curator:demo ${PUBLIC_URL}${MUSEUM_BASE_PATH}/special-events

Find a pet:
  curl -s -H 'api_key: special-key' '${PUBLIC_URL}${PETSTORE_BASE_PATH}/pets/findByStatus?status=available'

See what a learner has done:
  curl -s -H 'IMF-KEY: demo-imf-key' ${PUBLIC_URL}${LEARNING_BASE_PATH}/users/abc123
`;
}
