// What the page uses of Scalar; build.mjs makes of it the files that are loaded.
import { createNavigation } from '@scalar/workspace-store/navigation';
import { createMagicProxy } from '@scalar/json-magic/magic-proxy';
import { markRaw } from 'vue';

export { createApiReference } from '@scalar/api-reference';

/**
 * Adds to a document what Scalar otherwise finds out as it resolves, completes and checks the whole
 * of it: the list of its parts, and a member that its form for OAuth cannot do without.
 */
export function prepared(name, document) {
  for (const { flows = {} } of Object.values(document.components.securitySchemes))
    for (const flow of Object.values(flows)) flow.refreshUrl ??= '';
  const navigation = createNavigation(name, createMagicProxy(document));
  // As part of the configuration, all of it would be watched for changes, of which there are none.
  return markRaw({ ...document, 'x-scalar-navigation': navigation });
}
