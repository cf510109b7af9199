import { createInterface } from 'node:readline';
import { ReinsError } from '@reins/contracts';
import type { GuardedProcess } from './guarded-process.ts';

export interface ReadinessOptions {
  /** What is waited for, as an error names it: `the NATS server`. */
  readonly what: string;
  /** Sees every line; the first one that it says true to ends the waiting. */
  readonly isReady: (line: string) => boolean;
  readonly withinMs: number;
  readonly onLog?: (line: string) => void;
}

const LINES_OF_AN_ERROR = 12;

/**
 * Waits for the line in which a server says that it is ready, and goes on to pass its lines on. When it ends or is late
 * instead, it is killed, and the error holds what it said last.
 */
export async function waitUntilReady(child: GuardedProcess, options: ReadinessOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const last: string[] = [];
  const follow = (line: string): void => {
    if (last.push(line) > LINES_OF_AN_ERROR) last.shift();
    if (options.isReady(line)) resolve();
    options.onLog?.(line);
  };
  const output = createInterface({ input: child.stderr }).on('line', follow);
  createInterface({ input: child.stdout }).on('line', follow);
  const fail = (outcome: string): void =>
    reject(
      new ReinsError({
        code: 'embedded_start_failed',
        message: `${options.what} ${outcome}: ${last.join(' | ') || 'it said nothing'}`,
      }),
    );
  const timer = setTimeout(() => fail(`was not ready within ${options.withinMs} ms`), options.withinMs);
  // Its last words may still be in the pipe when it has ended.
  void Promise.all([child.exited, ended(output)]).then(([{ code, signal }]) =>
    fail(`ended with ${signal ?? `code ${code}`}`),
  );
  try {
    await promise;
  } catch (error) {
    await child.kill();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const ended = (output: ReturnType<typeof createInterface>): Promise<void> =>
  new Promise((resolve) => output.once('close', resolve));
