// Lints the fixture, whose files break the rules on purpose, and fails unless exactly these
// violations are reported: a rule that silently stopped working fails here, and so does one that
// reports too much. Fixture files not named here must be clean.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const imports = 'eslint(no-restricted-imports)';
const properties = 'eslint(no-restricted-properties)';
const planted = {
  // Layers: everything points downwards, the services know neither each other nor oauth.
  'src/app.ts': [imports],
  'src/oauth/above.ts': [imports],
  'src/oauth/webhooks.ts': [imports],
  'src/train/sibling.ts': [imports],
  'src/petstore/sibling.ts': [imports],
  'src/museum/sibling.ts': [imports],
  'src/learning/sibling.ts': [imports],
  'src/train/oauth.ts': [imports],
  'src/webhooks/above.ts': [imports],
  'src/platform/above.ts': [imports],
  'src/platform/webhooks.ts': [imports],
  // Files that may hold SQL keep to their layer too.
  'src/train/sibling.queries.ts': [imports],
  'src/platform/database/above.ts': [imports],

  // SQL
  'src/train/sql.ts': [imports],
  'src/platform/sql.ts': [imports],
  'src/train/statements.ts': [properties, properties, properties, properties],
  'src/train/columns.queries.ts': [properties, properties],
  'test/columns.ts': [properties],

  // Types, promises, the rest
  'src/floating-promise.ts': ['typescript(no-floating-promises)'],
  'src/misused-promise.ts': ['typescript(no-misused-promises)'],
  'src/await-thenable.ts': ['typescript(await-thenable)'],
  'src/any.ts': ['typescript(no-explicit-any)'],
  'src/type-import.ts': ['typescript(consistent-type-imports)'],
  'src/unused.ts': ['eslint(no-unused-vars)'],
  'src/unused-directive.ts': ['unused directive'],
  'src/equality.ts': ['eslint(eqeqeq)'],
  'src/console.ts': ['eslint(no-console)'],
  'src/todo.ts': ['eslint(no-warning-comments)'],
  'src/fixme.ts': ['eslint(no-warning-comments)'],
  'src/default-export.ts': ['import(no-default-export)'],
  'src/lines-301.ts': ['eslint(max-lines)'],
  'test/lines-301.ts': ['eslint(max-lines)'],
};

const root = path.resolve(import.meta.dirname, '../..');
const bin = path.join(root, 'node_modules/.bin');
const options = {
  cwd: path.join(import.meta.dirname, 'fixture'),
  env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` },
  encoding: 'utf8',
};
const { stdout, stderr, error } = spawnSync(
  'oxlint',
  ['--config=planted.config.ts', '--format=json'],
  options,
);
if (!stdout?.startsWith('{')) {
  console.error('oxlint did not lint:', error ?? stdout + stderr);
  process.exit(1);
}

const { diagnostics } = JSON.parse(stdout);
const list = (pairs) => pairs.map(([file, rule]) => `${file}: ${rule}`).toSorted();
const expected = list(Object.entries(planted).flatMap(([f, rules]) => rules.map((r) => [f, r])));
const reported = list(
  diagnostics.map(({ filename, code, message }) => [
    filename,
    code ?? (message.startsWith('Unused oxlint-disable') ? 'unused directive' : message),
  ]),
);

// The difference of two lists that may hold an entry more than once.
const without = (list, other) => {
  const rest = [...other];
  return list.filter((entry) => {
    const at = rest.indexOf(entry);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
};
const missing = without(expected, reported);
const surplus = without(reported, expected);
for (const entry of missing) console.error(`not reported: ${entry}`);
for (const entry of surplus) console.error(`not planted:  ${entry}`);
console.log(
  `${expected.length - missing.length} of ${expected.length} planted violations reported`,
);
process.exitCode = missing.length + surplus.length > 0 ? 1 : 0;
