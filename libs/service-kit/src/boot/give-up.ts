import type { Problem } from '@reins/contracts';
import type { Logger } from '../logging/logger.ts';

/** Ends this process in order, as failed: what is wrong is nothing that waiting mends, and whoever supervises it starts it anew. */
export function giveUp(log: Logger, { code, message, path, hint }: Problem): void {
  log.fatal({ code, path, hint }, message);
  process.exitCode = 1;
  process.kill(process.pid, 'SIGTERM');
}
