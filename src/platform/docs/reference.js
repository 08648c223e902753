// Runs in the browser: starts the reference with what the page says.
import { completeAccessibility } from './accessibility.js';
import { createApiReference } from './standalone.esm.js';

const { textContent } = document.getElementById('configuration');

createApiReference('#reference', {
  ...JSON.parse(textContent),
  setPageTitle: ({ title, document: { title: service } }) =>
    [...new Set([title, service, 'Quartet'])].join(' · '),
  customFetch(input, init) {
    const request = new Request(input, init);
    // Before there is a token, a public operation is asked without one instead of with an empty one.
    if (/^bearer\s*$/i.test(request.headers.get('authorization') ?? ''))
      request.headers.delete('authorization');
    return fetch(request);
  },
});
completeAccessibility();

// Scalar follows a link within its document; to another one it is started anew.
const documentIn = (url) => new URL(url).hash.slice(1).split('/', 1)[0];
addEventListener('hashchange', ({ oldURL, newURL }) => {
  if (documentIn(oldURL) !== documentIn(newURL)) location.reload();
});
