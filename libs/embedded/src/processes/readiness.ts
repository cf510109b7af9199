import { ReinsError } from '@reins/contracts';
import { followLines } from './follow-lines.ts';
import type { GuardedProcess } from './guarded-process.ts';

export interface ReadinessOptions {
  /** Name of the server in errors: `the NATS server`. */
  readonly what: string;
  /** Called with every line; returns true for the line that means ready. */
  readonly isReady: (line: string) => boolean;
  readonly timeoutMs: number;
  readonly onLog?: ((line: string) => void) | undefined;
}

const MAX_ERROR_LINES = 12;

/**
 * Waits for the line in which a server reports that it is ready, and keeps forwarding its lines. If the server ends or
 * exceeds the timeout, it is killed, and the error contains its last lines.
 * @throws ReinsError `embedded_start_failed`
 */
export async function waitUntilReady(child: GuardedProcess, options: ReadinessOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const last: string[] = [];
  const follow = (line: string): void => {
    if (last.push(line) > MAX_ERROR_LINES) last.shift();
    if (options.isReady(line)) resolve();
    options.onLog?.(line);
  };
  const ended = followLines(child.stderr, follow);
  void followLines(child.stdout, follow);
  const fail = (outcome: string): void =>
    reject(
      new ReinsError({
        code: 'embedded_start_failed',
        message: `${options.what} ${outcome}: ${last.join(' | ') || 'no output'}`,
      }),
    );
  const timer = setTimeout(() => fail(`was not ready within ${options.timeoutMs} ms`), options.timeoutMs);
  // Its last lines may still be in the pipe when it has ended.
  void Promise.all([child.exited, ended]).then(([{ code, signal }]) => fail(`ended with ${signal ?? `code ${code}`}`));
  try {
    await promise;
  } catch (error) {
    await child.kill();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
