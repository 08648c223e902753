import { readFileSync } from 'node:fs';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';

const SERVICES = ['train', 'petstore', 'museum', 'learning'];

/** The rules of .spectral.yaml, which only Spectral's command line reads by itself. */
function ruleset() {
  const off = readFileSync('.spectral.yaml', 'utf8').matchAll(/^ {2}([\w-]+): off$/gm);
  const rules = Object.fromEntries([...off].map(([, rule]) => [rule, 'off' as const]));
  return new spectral.Ruleset({ extends: [rulesets.oas], rules } as never);
}

describe.each(SERVICES)('the document of %s', (service) => {
  const file = `openapi/${service}.json`;
  const source = readFileSync(file, 'utf8');

  it('pleases Redocly', async () => {
    const config = (await loadConfig({ configPath: 'redocly.yaml' })).forAlias(service);
    const problems = await lintFromString({
      source,
      absoluteRef: `${process.cwd()}/${file}`,
      config,
    });
    const told = problems
      .filter(({ ignored }) => !ignored)
      .map(({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer}: ${message}`);
    expect(told).toEqual([]);
  });

  it('pleases Spectral', async () => {
    const linter = new spectral.Spectral();
    linter.setRuleset(ruleset());
    const problems = await linter.run(JSON.parse(source));
    expect(
      problems.map(({ code, path, message }) => `${code} ${path.join('/')}: ${message}`),
    ).toEqual([]);
  });
});
