import type { Problem } from '@reins/contracts';
import type { Logger } from '../logging/logger.ts';

/** Shuts this process down with exit code 1, for a problem that waiting does not fix. The supervisor restarts it. */
export function shutDownWithError(log: Logger, { code, message, path, hint }: Problem): void {
  log.fatal({ code, path, hint }, message);
  process.exitCode = 1;
  process.kill(process.pid, 'SIGTERM');
}
