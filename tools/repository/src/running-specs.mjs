import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { resultFile } from './tiers.mjs';

/** The variable that names the file in which a Jest process keeps the spec files that it runs. */
export const RUNNING_SPECS = 'REINS_RUNNING_SPECS';

/** The path of that file for a target of a package, from the root of the repository. */
export const runningFile = (target, project) => resultFile(target, project).replace(/\.json$/, '.running');

/** The spec files that a stopped run of a package had begun and not finished. */
export function runningSpecs(target, project, root) {
  try {
    return readFileSync(join(root, runningFile(target, project)), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** How long a Jest process may take to exit after its tests. */
const EXIT_MS = 60_000;

/** Ends a process that something keeps alive after its tests, so that it fails instead of hanging. */
function exitAnyway() {
  const resources = process.getActiveResourcesInfo().join(', ');
  console.error(`The tests have ended, but the process has not exited. What keeps it alive: ${resources}`);
  process.exit(1);
}

/** A Jest reporter that keeps the names of the spec files in progress: Jest itself writes its report only at the end. */
export default class RunningSpecsReporter {
  #running = new Set();
  #root;

  constructor({ rootDir }) {
    this.#root = rootDir;
  }

  onTestFileStart({ path }) {
    this.#running.add(relative(this.#root, path));
    this.#write();
  }

  onTestFileResult({ path }) {
    this.#running.delete(relative(this.#root, path));
    this.#write();
  }

  onRunComplete() {
    this.#write();
    // Does not keep the process alive itself.
    setTimeout(exitAnyway, EXIT_MS).unref();
  }

  #write() {
    const file = process.env[RUNNING_SPECS];
    if (this.#running.size === 0) rmSync(file, { force: true });
    else writeFileSync(file, [...this.#running].join('\n'));
  }
}
