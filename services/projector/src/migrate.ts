import { fatalLine, isReinsError, problemOf } from '@reins/contracts';
import { processSettings } from '@reins/service-kit/installation';
import { migrateDatabase } from './migrate-database.ts';

/** A process that migrates the read model and ends. The exit code is 1 if it could not. */
try {
  const applied = await migrateDatabase(processSettings().database.url);
  const line = { level: 'info', time: new Date().toISOString(), service: 'migrations', applied };
  process.stdout.write(`${JSON.stringify({ ...line, msg: 'read model migrated' })}\n`);
} catch (error) {
  const problems = isReinsError(error) ? error.problems : [problemOf(error)];
  process.stderr.write(problems.map((problem) => `${fatalLine('migrations', problem)}\n`).join(''));
  process.exitCode = 1;
}
