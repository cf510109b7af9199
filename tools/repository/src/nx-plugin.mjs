import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { hasTier } from './packages.mjs';
import { RUNNING_SPECS, runningFile } from './running-specs.mjs';
import { resultFile, TIERS } from './tiers.mjs';

/**
 * Gives every workspace package the same targets, so that no package declares them: `build` and `typecheck` if it has a
 * tsconfig.json, one target for each tier of tests that it has, and `lint`.
 */
export const name = 'reins-repository';

/** The variables that `REPEATS` of @reins/testing reads. A cached result counts only for the same numbers. */
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

/** The build checks the types, so a second pass is not needed. */
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
  // Specs of whole systems mostly wait, so two of them share the machine well.
  const workers = wholeSystem ? '--maxWorkers=2' : '--runInBand';
  return cached(
    `mkdir -p ${up}/${dirname(report)} && node ${up}/node_modules/jest/bin/jest.js --ci ${workers} --testTimeout=${timeoutMs} --testPathPatterns '${files.source}' --reporters=default --reporters=${up}/tools/repository/src/running-specs.mjs --json --outputFile=${up}/${report}`,
    {
      options: {
        cwd: '{projectRoot}',
        env: {
          NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
          [RUNNING_SPECS]: `${up}/${runningFile(target, root)}`,
        },
      },
      // `outside`: files outside the packages that the tests read, as package.json names them (nx.namedInputs).
      inputs: wholeSystem ? ['everything', ...REPEATS] : ['sources', '^sources', 'outside', 'jest', ...REPEATS],
      outputs: [`{workspaceRoot}/${report}`],
      // End-to-end tests run the compiled system; every other test reads the sources.
      dependsOn: wholeSystem ? [{ target: 'typecheck', projects: ['reins'] }] : [],
      metadata: {
        description: `Runs the tests of *${files.source
          .replace(/^.*\)\\/, '')
          .replaceAll('\\', '')
          .replace('$', '')}`,
      },
    },
  );
}
