import type { Network } from './doors/door.ts';

/** The permissions of a confined child. */
export interface Confinement {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Files and folders that it may read, including the command and the system libraries. */
  readonly readable: readonly string[];
  /** Files and folders that it may also change. */
  readonly writable: readonly string[];
  /** Folders inside the readable or writable ones that the child sees as empty. Only with namespaces. */
  readonly hidden: readonly string[];
  readonly network: Network;
  /** Whether it may start other processes. */
  readonly processes: boolean;
  /** Whether it may change the times of files. Under Landlock this applies to all files of its user. */
  readonly fileTimes: boolean;
  /** The number of file descriptors that it gets; all others are closed. */
  readonly descriptors: number;
}

/** Descriptors that a backend reads before it starts the command. */
export interface OwnDescriptors {
  /** The seccomp program. */
  readonly seccomp: number;
  /** The environment of the command. */
  readonly environment: number;
  /** The first of the listeners for the served ports. */
  readonly listeners: number;
}

/** Variables as text: entries that end with NUL. */
export const environmentText = (env: Readonly<Record<string, string>>): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${value}\0`)
    .join('');
