import { join } from 'node:path';

/** The environment variable with the run's token. Every process of a run has it. */
export const RUN_TOKEN = 'REINS_RUN_TOKEN';

/** What the environment of a child process is built from. */
export interface ChildEnvironmentOptions {
  readonly homeDir: string;
  readonly runToken: string;
  /** The PATH of the child. */
  readonly path: string;
  /** Variables that the executor needs, including API keys. */
  readonly extra?: Readonly<Record<string, string>>;
}

/**
 * Builds the environment of an executor from scratch. It inherits nothing from this process (keys, tokens, user
 * settings), and all its folders are in the home of the executor.
 */
export function childEnvironment({ homeDir, runToken, path, extra }: ChildEnvironmentOptions): Record<string, string> {
  return {
    ...extra,
    PATH: path,
    HOME: homeDir,
    TMPDIR: join(homeDir, 'tmp'),
    XDG_CONFIG_HOME: join(homeDir, '.config'),
    XDG_DATA_HOME: join(homeDir, '.local', 'share'),
    XDG_STATE_HOME: join(homeDir, '.local', 'state'),
    XDG_CACHE_HOME: join(homeDir, '.cache'),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'dumb',
    [RUN_TOKEN]: runToken,
  };
}
