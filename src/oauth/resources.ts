/** Scopes of the services: `read` and `write` of Train Travel, the others of the Petstore. */
export const API_SCOPES = ['read', 'write', 'read:pets', 'write:pets'];

/** Only for clients that the operator registered, and only for tokens of their own. */
export const CLIENT_ONLY_SCOPES = ['bookings:all'];

/** What each scope lets an application do, in a user's words. */
export const SCOPE_MEANINGS: Record<string, string> = {
  openid: 'Know that it is you',
  offline_access: 'Keep access after you sign out',
  read: 'See your bookings, payments and tickets',
  write: 'Book trips, pay for them and cancel them',
  'read:pets': 'See pets in the store',
  'write:pets': 'Add, change and remove pets',
};

export interface ResourcesOptions {
  PUBLIC_URL: string;
  TRAIN_BASE_PATH: string;
  PETSTORE_BASE_PATH: string;
}

/** What a token can be asked for by `resource` (RFC 8707), and what RFC 9728 metadata describes. */
export interface ProtectedResource {
  identifier: string;
  /** Below PUBLIC_URL; empty for the whole server. */
  path: string;
  name: string;
  scopes: string[];
}

/** The whole server, and each service that takes access tokens under a base path of its own. */
export function protectedResources(options: ResourcesOptions): ProtectedResource[] {
  const { PUBLIC_URL, TRAIN_BASE_PATH, PETSTORE_BASE_PATH } = options;
  const services = [
    { path: TRAIN_BASE_PATH, name: 'Train Travel', scopes: ['read', 'write'] },
    { path: PETSTORE_BASE_PATH, name: 'Petstore', scopes: ['read:pets', 'write:pets'] },
  ];
  return [
    { path: '', name: 'Quartet', scopes: API_SCOPES },
    ...services.filter((service) => service.path !== ''),
  ].map((resource) => ({ ...resource, identifier: `${PUBLIC_URL}${resource.path}` }));
}
