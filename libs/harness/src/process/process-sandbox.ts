import type { ChildProcess } from 'node:child_process';
import { ReinsError } from '@reins/contracts';
import { type Door, type Isolation, launchIsolated, requireIsolation, type ServedPort } from '@reins/os-sandbox';
import { codeFolders, findExecutable } from './code-folders.ts';
import { RUN_TOKEN } from './environment.ts';
import { visiblePaths } from './visible-paths.ts';

/** The operating-system sandbox around the executors and services of a host. Plain data, so that it can be sent to a process. */
export interface ProcessSandbox {
  /** `required`: nothing starts without a sandbox. */
  readonly rule: 'required' | 'preferred';
  readonly isolation: Isolation;
  /** Folders and files that nothing in it may read. */
  readonly hidden: readonly string[];
  /** What the processes in it can connect to. Absent: everything that this host can reach. */
  readonly network?: ProcessNetwork | undefined;
}

/** A network that is restricted to servers of this host. */
export interface ProcessNetwork {
  readonly doors: readonly Door[];
  /** Variables that name the proxy of the network. They replace those of the process. */
  readonly variables: Readonly<Record<string, string>>;
}

/** What starts an executable. */
export interface ProcessStart {
  readonly command: string;
  /** Must not contain secrets or prompts: every user of the machine can read them. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment, see `childEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute paths of the folders that it may change in a sandbox. */
  readonly writable?: readonly string[];
  /** Absolute paths of folders that it may read in a sandbox even if they are in hidden ones. */
  readonly readable?: readonly string[];
  /** The ports on which it listens for this host, if the sandbox restricts its network. */
  readonly served?: readonly ServedPort[] | undefined;
  /** Whether the process reads stdin. If not, stdin is `/dev/null`: some executors wait for a pipe to close. */
  readonly takesInput: boolean;
}

/** Programs need it to find hosts by name. On many systems it is a link into `/run`. */
const RESOLVER = '/etc/resolv.conf';

/**
 * Starts an executable in the sandbox. It sees the file system without the hidden folders, read-only except
 * `spec.writable`. It may start processes.
 * @throws ReinsError `sandbox_unavailable`, `harness_start_failed`
 */
export function startInSandbox(spec: ProcessStart, { rule, isolation, hidden, network }: ProcessSandbox): ChildProcess {
  if (rule === 'required') requireIsolation(isolation, 'host.sandbox');
  const { command, args, cwd, environment, takesInput, writable = [], readable = [], served } = spec;
  const executable = findExecutable(command, cwd, environment.PATH ?? '');
  if (executable === undefined)
    throw new ReinsError({
      code: 'harness_start_failed',
      message: `the executable ${command} does not exist (ENOENT)`,
    });
  return launchIsolated(isolation, {
    command: executable.file,
    args,
    cwd,
    env: { ...environment, ...network?.variables },
    marks: [RUN_TOKEN],
    stdio: [takesInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    readable: visiblePaths(hidden, [...codeFolders(), ...executable.parts, ...readable, RESOLVER]),
    writable,
    network: network ? { doors: network.doors, served } : 'host',
    processes: true,
    fileTimes: true, // pi keeps its lock files fresh.
    detached: true,
  });
}
