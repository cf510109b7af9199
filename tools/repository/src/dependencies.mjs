const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
/** Packages that only tests and code generation need. */
const DEVELOPMENT_ONLY = new Set(['@reins/testing', '@reins/generate']);

/** The packages whose version is written in more than one way, or not exactly. Siblings are always `*`. */
export function versionProblems(packages) {
  const places = packages.flatMap(({ root, manifest }) =>
    KINDS.flatMap((kind) => Object.entries(manifest[kind] ?? {}).map(([name, spec]) => ({ root, name, spec }))),
  );
  return [...Map.groupBy(places, ({ name }) => name)].flatMap(([name, of]) => {
    const specs = [...new Set(of.map(({ spec }) => spec))];
    if (specs.length > 1)
      return [`${name} has several versions: ${of.map(({ root, spec }) => `${spec} in ${root}`).join(', ')}`];
    const [spec] = specs;
    if (name.startsWith('@reins/'))
      return spec === '*' ? [] : [`${name} must have the version * (got ${spec} in ${of[0].root})`];
    return /^(npm:[@\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(spec)
      ? []
      : [`${name} must have an exact version (got ${spec} in ${of[0].root})`];
  });
}

/** Test helpers and generators among the production dependencies of a lib or a service. */
export function productionProblems(packages) {
  return packages
    .filter(({ root }) => /^(libs|services)\//.test(root))
    .flatMap(({ root, manifest }) =>
      Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
        .filter((name) => DEVELOPMENT_ONLY.has(name))
        .map((name) => `${root}/package.json: ${name} must be a devDependency`),
    );
}
