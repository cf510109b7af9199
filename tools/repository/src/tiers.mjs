/** The tiers of tests, by suffix, in the order in which they run. `files` is what Jest selects by, `timeoutMs` what one test may take. */
export const TIERS = [
  { target: 'test', files: /(?<!\.int|\.e2e)\.spec\.ts$/, timeoutMs: 120_000 },
  { target: 'test-int', files: /\.int\.spec\.ts$/, timeoutMs: 120_000 },
  { target: 'test-e2e', files: /\.e2e\.spec\.ts$/, timeoutMs: 600_000 },
];

/** Where the target leaves its Jest report, from the root of the workspace. */
export const resultFile = (target, project) => `.nx/results/${target}/${project.replaceAll('/', '-')}.json`;
