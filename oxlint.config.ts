import { defineConfig, type OxlintOverride } from 'oxlint';

// The layers of src/, and what each may not import. Everything points downwards, and the services
// know neither each other nor the OAuth server. Below all of them: config.ts.
const programs = ['main', 'start', 'quartet', 'banner', 'commands'];
const top = [...programs, 'app', 'workers'];
const services = ['train', 'petstore', 'museum', 'learning'];
const forbidden: Record<string, string[]> = {
  oauth: [...top, ...services, 'webhooks'],
  webhooks: [...top, ...services, 'oauth'],
  platform: [...top, ...services, 'oauth', 'webhooks'],
};
for (const service of services) {
  forbidden[service] = [...top, 'oauth', ...services.filter((other) => other !== service)];
}

// The only files of src/ that may hold SQL.
const sqlFiles = ['src/**/*.queries.ts', 'src/platform/database/*.ts'];
const sqlImport = {
  name: 'kysely',
  importNames: ['sql'],
  message: 'SQL belongs in a *.queries.ts file.',
};
const statements = ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto'].map(
  (property) => ({ property, message: 'Statements belong in a *.queries.ts file.' }),
);
const everyColumn = ['selectAll', 'returningAll'].map((property) => ({
  property,
  message: 'Name the columns: a new one must not leak into answers by itself.',
}));

const above = (layer: string, from: string, names: string[]) => ({
  regex: `^${from}(${names.join('|')})(/|\\.\\w+$)`,
  message: `${layer} may not import this: see the layers in oxlint.config.ts.`,
});

// An override replaces a rule's options as a whole, so a layer needs one for its files and one for
// those of its files that may hold SQL.
const layers = Object.entries(forbidden).flatMap(([layer, names]): OxlintOverride[] => {
  const patterns = [above(`src/${layer}`, '(\\./)?(\\.\\./)+', names)];
  const sqlFilesOfLayer = sqlFiles
    .filter((glob) => glob.startsWith('src/**') || glob.startsWith(`src/${layer}/`))
    .map((glob) => glob.replace('src/**', `src/${layer}/**`));
  return [
    {
      files: [`src/${layer}/**`],
      rules: { 'no-restricted-imports': ['error', { paths: [sqlImport], patterns }] },
    },
    {
      files: sqlFilesOfLayer,
      rules: { 'no-restricted-imports': ['error', { patterns }] },
    },
  ];
});
layers.push({
  files: ['src/{app,workers}.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      { paths: [sqlImport], patterns: [above('The application', '\\./', programs)] },
    ],
  },
});

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import'],
  // typeAware: rules that need types run through oxlint-tsgolint.
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['node_modules/**', 'test/lint/fixture/**'],
  categories: { correctness: 'error' },
  rules: {
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    // Strings made of unknown values are mostly messages; no-base-to-string finds the bad ones.
    'typescript/restrict-template-expressions': 'off',
    // A loop that changes what it runs over needs the copy.
    'unicorn/no-useless-spread': 'off',
    // A string is spread for its code points.
    'typescript/no-misused-spread': ['error', { allow: ['string'] }],
    // `const { secret: _, ...rest } = all` is how a member is left out.
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    eqeqeq: 'error',
    'no-console': 'error',
    'no-warning-comments': ['error', { terms: ['todo', 'fixme'], location: 'anywhere' }],
    'import/no-default-export': 'error',
    'no-restricted-imports': ['error', { paths: [sqlImport] }],
    'no-restricted-properties': ['error', ...statements, ...everyColumn],
  },
  overrides: [
    {
      files: ['src/**', 'test/**'],
      rules: { 'max-lines': ['error', { max: 300, skipBlankLines: false, skipComments: false }] },
    },
    ...layers,
    {
      files: sqlFiles,
      rules: { 'no-restricted-properties': ['error', ...everyColumn] },
    },
    {
      // Tests look into the database as they please.
      files: ['test/**'],
      rules: {
        'no-restricted-imports': 'off',
        'no-restricted-properties': ['error', ...everyColumn],
      },
    },
    {
      // Programs for a person at a terminal; the server itself logs through pino.
      files: [
        'src/main.ts',
        'src/quartet.ts',
        'src/**/build.mjs',
        'bench/**',
        'examples/**',
        'tools/**',
        'test/lint/*.mjs',
      ],
      rules: { 'no-console': 'off' },
    },
    {
      // Who reads them reads the default export.
      files: ['*.config.ts', 'src/platform/docs/scalar/unused.js'],
      rules: { 'import/no-default-export': 'off' },
    },
  ],
});
