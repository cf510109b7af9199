import type { Problem } from '@reins/contracts';

/** The major version of Node.js that services and commands need. */
const NEEDED_MAJOR = 24;

/** The problem with a version of Node.js such as `v20.20.2`; undefined if Reins runs on it. */
export function nodeVersionProblem(version: string): Problem | undefined {
  const major = Number(/^v(\d+)\./.exec(version)?.[1]);
  if (major >= NEEDED_MAJOR) return undefined;
  return {
    code: 'node_unsupported',
    message: `Reins needs Node ${NEEDED_MAJOR} or newer (got ${version})`,
    hint: 'Run it with node_modules/.bin/node, which npm installed.',
  };
}
