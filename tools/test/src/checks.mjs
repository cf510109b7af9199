import { run } from '../../setup/commands.mjs';
import { ROOT } from '../../setup/setup.mjs';

/** Checks that run before the tests. Each counts as one test. */
const CHECKS = [
  { name: 'build', command: ['tsc', '-b'] },
  { name: 'module boundaries', command: ['depcruise', 'libs', 'services', 'tools'] },
  { name: 'references and package shapes', command: ['node', 'tools/repository/src/check.mjs'] },
  { name: 'format and lint', command: ['biome', 'check', '--error-on-warnings', '.'] },
];

/** A check that runs longer is treated as hung. */
const TIMEOUT_MS = 20 * 60_000;

export async function runChecks(totals, log) {
  for (const { name, command } of CHECKS) {
    try {
      await run(command[0], command.slice(1), { cwd: ROOT, quiet: true, timeoutMs: TIMEOUT_MS });
      totals.passed += 1;
      log(`check: ${name}: ok`);
    } catch (error) {
      totals.fail(name, error.message);
      log(`check: ${name}: failed`);
    }
  }
}
