import { join } from 'node:path';

/** The variable that every process of a run carries; its value is the run's own. */
export const RUN_TOKEN = 'REINS_RUN_TOKEN';

/** What a child process gets beside the basics. */
export interface ChildEnvironmentOptions {
  readonly homeDir: string;
  readonly runToken: string;
  /** PATH of this process: a child without one finds nothing. */
  readonly path: string;
  /** Variables that its executor needs, keys included. */
  readonly extra?: Readonly<Record<string, string>>;
}

/**
 * The environment of an executor, built from nothing: what our own environment holds (keys, tokens, settings of the user) never
 * gets in, and everything that it keeps goes to its own home.
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
