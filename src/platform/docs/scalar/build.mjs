// `npm run build`, with which `npm ci` ends: makes dist/docs, what /docs loads of Scalar.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const { rolldown } = await import('rolldown').catch(() => ({}));
if (!rolldown) {
  console.log('dist/docs stays as it is: what makes it is a devDependency.');
  process.exit();
}

const STYLE = 'style.css';
const outputFolder = path.resolve(import.meta.dirname, '../../../../dist/docs');
const here = (name) => path.join(import.meta.dirname, name);
const require = createRequire(import.meta.url);
const scalar = require.resolve('@scalar/api-reference');

/** What is replaced, and by what; ADR 50 says why. */
const REPLACED = [
  [/^@scalar\/code-highlight(\/markdown)?$/, here('markdown.ts')],
  [/\/v3\.2\/strict\/openapi-document(\.js)?$/, here('document-schema.js')],
  [/^@scalar\/types\/entities$/, here('entities.js')],
  [/^@scalar\/(openapi|asyncapi)-upgrader$/, here('unused.js')],
  [/\/AsyncApi(TraversedEntry|SidebarFilters|ServerSelector)\.vue\.js$/, here('unused.js')],
  [/\/locales\/(?!en\.)[\w-]+\.js$/, here('unused.js')],
  // A script that npm does not run here would make the same of it.
  [/^vue-demi$/, 'vue'],
];

const replacements = {
  name: 'replacements',
  resolveId(id, importer) {
    const isOurs = importer?.startsWith(import.meta.dirname);
    const [, replacement] = REPLACED.find(([pattern]) => pattern.test(id)) ?? [];
    if (replacement && !isOurs) return this.resolve(replacement, scalar);
    // What ours import is of the Scalar that is installed, not of another that may lie beside it.
    const isScalars = isOurs && /^(@scalar\/|vue$)/.test(id);
    return isScalars ? this.resolve(id, scalar, { skipSelf: true }) : undefined;
  },
};

const bundle = await rolldown({
  input: { scalar: here('entry.js') },
  platform: 'browser',
  plugins: [replacements],
  treeshake: { moduleSideEffects: false },
  transform: {
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
  },
});
rmSync(outputFolder, { recursive: true, force: true });
const { output } = await bundle.write({
  dir: outputFolder,
  minify: true,
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
});
await bundle.close();
copyFileSync(require.resolve('@scalar/api-reference/style.css'), path.join(outputFolder, STYLE));

// Compressed here, or the first who looks at /docs would wait for it.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
let total = 0;
for (const name of [STYLE, ...output.map(({ fileName }) => fileName)]) {
  const file = path.join(outputFolder, name);
  const bytes = readFileSync(file);
  const brotli = brotliCompressSync(bytes, quality);
  writeFileSync(`${file}.br`, brotli);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  total += brotli.length;
}
console.log(`dist/docs: ${output.length + 1} files, ${Math.round(total / 1000)} kB compressed`);
