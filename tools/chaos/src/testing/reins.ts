import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '@reins/testing';
import type { RunningSystem } from '../system/start.ts';

const PROGRAM = join(repositoryRoot, 'tools', 'cli', 'bin', 'reins.mjs');

/** The exit code of a command and its JSON output. */
export interface CommandResult<T> {
  readonly exit: number;
  readonly json: T;
}

/** Runs `reins … --json` against the system in a separate process, like an operator. */
export function reins<T>({ system, gateway }: RunningSystem, ...args: string[]): Promise<CommandResult<T>> {
  const { PATH } = process.env;
  const env = {
    PATH,
    REINS_NATS_URL: system.natsUrl,
    REINS_NATS_USERS_DIR: system.natsUsersDir,
    REINS_URL: gateway.url,
    REINS_API_KEY: gateway.apiKey,
  };
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult<T>>();
  execFile(process.execPath, [PROGRAM, ...args, '--json'], { env, cwd: tmpdir() }, (error, stdout, stderr) => {
    const exit = error ? error.code : 0;
    if (typeof exit !== 'number') return reject(error);
    try {
      resolve({ exit, json: JSON.parse(stdout) as T });
    } catch (cause) {
      reject(new Error(`reins ${args.join(' ')} ended with ${exit}: ${stdout}${stderr}`, { cause }));
    }
  });
  return promise;
}
