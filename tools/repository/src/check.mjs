import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { productionProblems, versionProblems } from './dependencies.mjs';
import { compiledSiblings, referencesTo, workspacePackages } from './packages.mjs';

/**
 * Checks what neither the compiler nor the other checks see: the solution names every package, the references of a package
 * are the siblings that it declares, and packages have the same shape. `--write` fixes the references.
 */
const write = process.argv.includes('--write');
const packages = workspacePackages();
const problems = [
  ...versionProblems([{ root: '.', manifest: JSON.parse(readFileSync('package.json', 'utf8')) }, ...packages]),
  ...productionProblems(packages),
  ...checkReferences(
    'tsconfig.json',
    referencesTo(
      packages.filter((each) => each.tsconfig),
      '',
    ),
  ),
  ...packages.flatMap(checkPackage),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function checkPackage(each) {
  const { root, manifest, tsconfig } = each;
  const folder = root.split('/').at(-1);
  return [
    ...(manifest.name === `@reins/${folder}` ? [] : [`${root}/package.json: the name is not @reins/${folder}`]),
    ...(manifest.description ? [] : [`${root}/package.json: there is no description`]),
    ...(manifest.license ? [] : [`${root}/package.json: there is no license`]),
    ...(manifest.engines?.node ? [] : [`${root}/package.json: engines.node is missing`]),
    ...(root.startsWith('services/') && !existsSync(`${root}/README.md`) ? [`${root}: there is no README.md`] : []),
    ...(hasSpecs(root) && !existsSync(`${root}/jest.config.mjs`)
      ? [`${root}: there is no jest.config.mjs for its tests`]
      : []),
    ...(tsconfig ? checkReferences(`${root}/tsconfig.json`, referencesTo(compiledSiblings(each, packages), root)) : []),
  ];
}

function checkReferences(file, wanted) {
  const config = JSON.parse(readFileSync(file, 'utf8'));
  const paths = (references) =>
    (references ?? [])
      .map(({ path }) => path)
      .sort()
      .join(', ');
  if (paths(config.references) === paths(wanted)) return [];
  if (!write)
    return [`${file}: references are [${paths(config.references)}], not [${paths(wanted)}]; npm run format fixes it`];
  const text = JSON.stringify({ ...config, references: wanted }, null, 2);
  writeFileSync(file, `${text.replaceAll(/\{\s+("path": "[^"]+")\s+\}/g, '{ $1 }')}\n`);
  return [];
}

function hasSpecs(root) {
  return (
    existsSync(`${root}/src`) &&
    readdirSync(`${root}/src`, { recursive: true }).some((file) => String(file).endsWith('.spec.ts'))
  );
}
