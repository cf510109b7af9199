/**
 * The tiers of tests in running order. Jest selects specs by `files`; `timeoutMs` limits one test. A tier that is
 * `onRequest` runs only when it is named.
 */
export const TIERS = [
  { target: 'test', files: /(?<!\.int|\.e2e|\.full)\.spec\.ts$/, timeoutMs: 120_000 },
  { target: 'test-int', files: /\.int\.spec\.ts$/, timeoutMs: 120_000 },
  { target: 'test-e2e', files: /\.e2e\.spec\.ts$/, timeoutMs: 600_000 },
  { target: 'test-full', files: /\.full\.spec\.ts$/, timeoutMs: 600_000, onRequest: true },
];

/** The path of the Jest report of a target, from the root of the repository. */
export const resultFile = (target, project) => `.nx/results/${target}/${project.replaceAll('/', '-')}.json`;
