// Runs in the browser: starts the reference with what the page says.
import { completeAccessibility } from './accessibility.js';
import { createApiReference, prepared } from './scalar.js';

const configuration = JSON.parse(document.getElementById('configuration').textContent);

/** Scalar would send every parameter that has an example; what is optional waits to be ticked. */
function untick(api) {
  const { paths, components } = api;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const parameters = [
    ...Object.values(components.parameters ?? {}),
    ...operations.flatMap(({ parameters: own = [] }) => own),
  ];
  for (const parameter of parameters) {
    const { required, example, examples = { example: { value: example } } } = parameter;
    if (required || (example === undefined && parameter.examples === undefined)) continue;
    delete parameter.example;
    for (const each of Object.values(examples)) each['x-disabled'] = true;
    parameter.examples = examples;
  }
  return api;
}

for (const source of configuration.sources)
  if (source.content) source.content = prepared(source.slug, untick(source.content));

createApiReference('#reference', {
  ...configuration,
  setPageTitle: ({ title, document: { title: service } }) =>
    [...new Set([title, service, 'Quartet'])].join(' · '),
  async customFetch(input, init) {
    const request = new Request(input, init);
    // Before there is a token, a public operation is asked without one instead of with an empty one.
    if (/^bearer\s*$/i.test(request.headers.get('authorization') ?? ''))
      request.headers.delete('authorization');
    const response = await fetch(request);
    const [, name] = /^\/openapi\/(\w+)\.json$/.exec(new URL(request.url).pathname) ?? [];
    if (!name || !response.ok) return response;
    const api = prepared(name, untick(await response.json()));
    return Response.json(api, { headers: response.headers });
  },
});
completeAccessibility();

// Scalar follows a link within its document; to another one it is started anew.
const documentIn = (url) => new URL(url).hash.slice(1).split('/', 1)[0];
addEventListener('hashchange', ({ oldURL, newURL }) => {
  if (documentIn(oldURL) !== documentIn(newURL)) location.reload();
});
