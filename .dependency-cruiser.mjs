import { existsSync, readdirSync, readFileSync } from 'node:fs';
import swcVisitor from '@swc/core/Visitor.js';

/**
 * The module boundaries of the repository, checked by `npm run lint`.
 *
 * The layers of libs/, lowest first: a lib may use the libs of lower layers only. A new lib is added here and in CONTRIBUTING.md.
 */
const LAYERS = [
  ['contracts'],
  ['embedded', 'model-catalog', 'policy', 'scripted-model'],
  ['workspace-plan'],
  ['testing', 'runtime-config'],
  ['bus', 'os-sandbox', 'store', 'workspace-tree'],
  ['service-kit', 'journal'],
  ['run-directory'],
  ['replay', 'harness'],
  ['sandbox'],
  ['tool-gateway'],
];

/** The visitor of the swc parser does not know `using` declarations, so they are visited like other declarations. */
const { Visitor } = swcVisitor;
const visitStatement = Visitor.prototype.visitStatement;
Visitor.prototype.visitStatement = function visitAnyStatement(statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  this.visitVariableDeclarators(statement.decls);
  return statement;
};

const TEST_CODE = '([.]spec[.]ts|/(testing|bench)/.*[.]m?[tj]s|/jest[.][^/]*[.]mjs)$';
const PACKAGE = '^(libs|services|tools)/([^/]+)/';

const error = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const libsOf = (layers) => `^libs/(${layers.flat().join('|')})/`;

/** One rule per layer: its libs may not import other libs of the same layer, or of a higher one. */
const layerRules = LAYERS.map((layer, index) =>
  error(
    `layer-${index + 1}`,
    `${layer.join(', ')} may use only libs of lower layers`,
    { path: `^libs/(${layer.join('|')})/` },
    { path: libsOf(LAYERS.slice(index)), pathNot: '^libs/$1/' },
  ),
);

/** One rule per package: it may import only the packages of this repository that its package.json declares. */
const declaredRules = ['libs', 'services', 'tools'].flatMap((group) =>
  readdirSync(group)
    .filter((folder) => existsSync(`${group}/${folder}/package.json`))
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(`${group}/${folder}/package.json`, 'utf8'));
      const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
        .filter((name) => name.startsWith('@reins/'))
        .map((name) => name.slice('@reins/'.length));
      return error(
        `declared-by-${folder}`,
        'a package declares which packages of the repository it imports',
        { path: `^${group}/${folder}/` },
        { path: '^(libs|services|tools)/', pathNot: `^(libs|services|tools)/(${[folder, ...declared].join('|')})/` },
      );
    }),
);

export default {
  forbidden: [
    error('no-cycle', 'imports form no cycles, not even of types', {}, { circular: true }),
    error(
      'lib-has-a-layer',
      'every lib is in the list of layers',
      { path: '^libs/', pathNot: libsOf(LAYERS) },
      { path: '.*' },
    ),
    ...layerRules,
    ...declaredRules,
    error(
      'libs-stand-below',
      'libs use neither services nor tools',
      { path: '^libs/' },
      { path: '^(services|tools)/' },
    ),
    error(
      'services-stand-alone',
      'services communicate over the bus: they import neither each other nor tools',
      { path: '^services/([^/]+)/' },
      { path: '^(services|tools)/', pathNot: '^services/$1/' },
    ),
    error(
      'decisions-are-pure',
      'the decisions of a run depend on entries only: not on ports, NestJS or the bus',
      { path: '^services/control-bus/src/run/decide/', pathNot: TEST_CODE },
      { path: '.*', pathNot: '^(services/control-bus/src/run/decide|libs/(contracts|journal|replay))/' },
    ),
    error(
      'by-name-only',
      'another package is imported by its name, never by a path into it',
      { path: PACKAGE, pathNot: '^tools/test/' }, // it installs the packages, so it cannot import them by name
      { path: '^(libs|services|tools)/', pathNot: '^$1/$2/', dependencyTypesNot: ['aliased-workspace'] },
    ),
    error(
      'testing-is-for-tests',
      'only tests, and the tools that test the whole system, use @reins/testing',
      { path: '^(libs|services)/', pathNot: [TEST_CODE, '^libs/testing/'] },
      { path: '^libs/testing/' },
    ),
    error(
      'declared',
      'a package declares what it imports',
      { path: PACKAGE },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined', 'aliased-subpath-import'] },
    ),
    error(
      'not-for-development-only',
      'what runs in production is a dependency, not a devDependency',
      { path: '^(libs|services)/', pathNot: [TEST_CODE, '^libs/testing/'] },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    error('resolvable', 'every import resolves to a module', {}, { couldNotResolve: true }),
  ],
  options: {
    parser: 'swc', // the default parser needs a compiler API that TypeScript 7 does not have
    combinedDependencies: true, // the test tools are declared once, at the root
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: ['/testdata/', '/dist/', '^tools/bench/peers/'] }, // the peers have their own manifest and are usually not installed
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['reins-source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.json', '.d.ts'],
    },
  },
};
