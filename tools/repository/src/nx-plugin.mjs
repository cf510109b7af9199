import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { hasTier } from './packages.mjs';
import { resultFile, TIERS } from './tiers.mjs';

/**
 * Gives every workspace package the same targets, so that none declares them: `build` and `typecheck` where there is a
 * tsconfig.json, one target a tier where there are such tests, and `lint`.
 */
export const name = 'reins-repository';

/** What `REPEATS` of @reins/testing reads: another number of seeds, kills or damages is another test. */
const REPEATS = [{ env: 'REINS_TEST_SEEDS' }, { env: 'REINS_TEST_KILLS' }, { env: 'REINS_TEST_DAMAGES' }];

export const createNodesV2 = [
  '{libs,services,tools}/*/package.json',
  (manifests, _options, { workspaceRoot }) => manifests.map((manifest) => [manifest, nodesOf(manifest, workspaceRoot)]),
];

function nodesOf(manifest, workspaceRoot) {
  const root = dirname(manifest);
  const folder = join(workspaceRoot, root);
  const compiled = existsSync(join(folder, 'tsconfig.json'));
  const targets = {
    lint: lint(),
    ...(compiled && { build: build(), typecheck: typecheck() }),
    ...tests(root, folder, workspaceRoot),
  };
  return { projects: { [root]: { root, targets } } };
}

const cached = (command, rest) => ({ command, options: { cwd: '{projectRoot}' }, cache: true, ...rest });

const build = () =>
  cached('tsc -b', {
    inputs: ['sources', '^sources', 'compiler'],
    outputs: ['{projectRoot}/dist'],
    dependsOn: ['^build'],
    metadata: { description: 'Compiles the package to dist/' },
  });

/** The compiler checks types while it builds; there is no second pass to make. */
const typecheck = () => ({ executor: 'nx:noop', dependsOn: ['build'], metadata: { description: 'Checks the types' } });

const lint = () =>
  cached('biome check --error-on-warnings .', {
    inputs: ['{projectRoot}/**/*', '{workspaceRoot}/biome.json', { externalDependencies: ['@biomejs/biome'] }],
    metadata: { description: 'Checks format and lint rules' },
  });

function tests(root, folder, workspaceRoot) {
  const present = TIERS.filter((tier) => hasTier(folder, tier));
  return Object.fromEntries(present.map((tier) => [tier.target, test(tier, root, relative(folder, workspaceRoot))]));
}

function test({ target, files, timeoutMs }, root, up) {
  const report = resultFile(target, root);
  const wholeSystem = target === 'test-e2e';
  return cached(
    `mkdir -p ${up}/${dirname(report)} && node ${up}/node_modules/jest/bin/jest.js --ci --runInBand --testTimeout=${timeoutMs} --testPathPatterns '${files.source}' --json --outputFile=${up}/${report}`,
    {
      options: {
        cwd: '{projectRoot}',
        env: { NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning' },
      },
      // `outside`: what a package's tests read beyond the packages; it says so in its package.json (nx.namedInputs).
      inputs: wholeSystem ? ['everything', ...REPEATS] : ['sources', '^sources', 'outside', 'jest', ...REPEATS],
      outputs: [`{workspaceRoot}/${report}`],
      // The whole system runs as it is compiled; every other test reads the sources.
      dependsOn: wholeSystem ? [{ target: 'typecheck', projects: ['reins'] }] : [],
      // One at a time: what an end-to-end test measures and waits for, it does alone on the machine.
      parallelism: !wholeSystem,
      metadata: {
        description: `Runs the tests of *${files.source
          .replace(/^.*\)\\/, '')
          .replaceAll('\\', '')
          .replace('$', '')}`,
      },
    },
  );
}
