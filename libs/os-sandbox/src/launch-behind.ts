import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Duplex } from 'node:stream';
import { ReinsError } from '@reins/contracts';
import { bubblewrapCommand } from './backends/bubblewrap.ts';
import { landlockCommand } from './backends/landlock.ts';
import type { Confinement } from './confinement.ts';
import { inheritedDescriptors } from './inherited-descriptors.ts';
import { seccompFilter } from './seccomp/filter.ts';
import { systemLibraries } from './system-libraries.ts';
import type { Wall } from './wall.ts';

export interface LaunchOptions {
  /** Absolute path of the program. It is readable, as the system's libraries are. */
  readonly command: string;
  readonly args?: readonly string[];
  /** The whole environment. Default: empty. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default `/`. */
  readonly cwd?: string;
  /** Absolute paths of files and folders that the child may read. */
  readonly readable?: readonly string[];
  /** Absolute paths of files and folders that it may change, too. */
  readonly writable?: readonly string[];
  /** Absolute paths of folders in these that it finds empty. Landlock cannot take away a part of what it gives. */
  readonly hidden?: readonly string[];
  /** Default `none`: not even the loopback of the host. */
  readonly network?: 'none' | 'host';
  /** Whether it may start other processes. Default: no. */
  readonly processes?: boolean;
  /** Whether it may change the times of files; behind Landlock, those of every file of its user. Default: no. */
  readonly fileTimes?: boolean;
  /** One for each descriptor of the child, at most six. Default: no input, and pipes for both outputs. */
  readonly stdio?: readonly ('pipe' | 'ignore' | 'inherit')[];
  /** Whether it is the leader of a process group of its own, so that signals of a terminal do not reach it. Default: no. */
  readonly detached?: boolean;
  readonly limits?: {
    /** Of memory for data, in KiB: heap and buffers together. */
    readonly dataKb?: number;
    /** Of a file that it writes, in KiB. */
    readonly fileKb?: number;
    readonly openFiles?: number;
  };
}

/** More would need two digits, which a shell does not read. */
const MAX_DESCRIPTORS = 6;

/**
 * A shell sets the limits, becomes the command, and leaves a guard behind. The guard waits at a pipe whose other end is ours; when that end
 * closes without a word, it kills the command.
 */
function script(descriptors: number, surplus: readonly number[], limits: LaunchOptions['limits'] = {}): string {
  const guard = descriptors;
  const others = closing([...Array.from({ length: descriptors - 3 }, (_, at) => at + 3), guard + 1, ...surplus]);
  const { dataKb, fileKb, openFiles } = limits;
  return [
    'ulimit -c 0',
    // Kernels that do not count it leave it to the bound of the heap.
    ...(dataKb === undefined ? [] : [`ulimit -d ${dataKb} 2>/dev/null`]),
    ...(fileKb === undefined ? [] : [`ulimit -f ${fileKb * 2}`]),
    ...(openFiles === undefined ? [] : [`ulimit -n ${openFiles}`]),
    `(exec 0</dev/null 1>/dev/null 2>&1 ${others}; read -r word <&${guard} || kill -9 $$) &`,
    `exec ${guard}<&- ${closing(surplus)} "$0" "$@"`,
  ].join('\n');
}

const closing = (descriptors: readonly number[]): string => descriptors.map((each) => `${each}>&-`).join(' ');

/**
 * The shell of most systems closes no descriptor of two digits. bash does; it would read the settings of the user when its input is a socket, as
 * the pipes of Node.js are.
 */
function shellFor(surplus: readonly number[]): [shell: string, ...options: string[]] {
  const needsBash = surplus.some((descriptor) => descriptor > 9) && existsSync('/bin/bash');
  return needsBash ? ['/bin/bash', '--noprofile', '--norc'] : ['/bin/sh'];
}

/**
 * Starts a child behind the wall. It dies with this process.
 * @throws ReinsError `request_invalid` for a path that is not absolute
 */
export function launchBehind(wall: Wall, options: LaunchOptions): ChildProcess {
  const { stdio = ['ignore', 'pipe', 'pipe'], env = {}, detached = false, limits } = options;
  const confinement = confinementOf(options, stdio.length);
  const seccompFd = stdio.length + 1;
  const [program = '', ...args] = commandOf(wall, confinement, seccompFd);
  const surplus = inheritedDescriptors().filter((descriptor) => descriptor > seccompFd);
  const [shell, ...shellOptions] = shellFor(surplus);
  const child = spawn(shell, [...shellOptions, '-c', script(stdio.length, surplus, limits), program, ...args], {
    cwd: '/',
    env,
    detached,
    stdio: [...stdio, 'pipe', wall.backend === 'none' ? 'ignore' : 'pipe'] as StdioOptions,
  });
  const guard = child.stdio[stdio.length] as Duplex | null;
  const filter = child.stdio[seccompFd as 4] as Duplex | null;
  for (const pipe of [guard, filter]) pipe?.on('error', () => undefined); // The process reports its end.
  filter?.end(filterOf(wall, confinement));
  // The guard holds its pipe: without a word the child would never count as closed.
  for (const end of ['exit', 'error']) child.once(end, () => void guard?.end('over\n'));
  return child;
}

function commandOf(wall: Wall, confinement: Confinement, seccompFd: number): string[] {
  const { command, args } = confinement;
  if (wall.backend === 'bubblewrap') return bubblewrapCommand(wall.program, confinement, seccompFd);
  if (wall.backend === 'landlock') return landlockCommand(wall.program, confinement, seccompFd);
  return [command, ...args];
}

function filterOf({ backend }: Wall, { network, processes, fileTimes }: Confinement): Buffer {
  const architecture = process.arch === 'arm64' ? 'arm64' : 'x64';
  // Behind a mount namespace there is nothing whose mode could be changed, but what the child may change anyway.
  return seccompFilter(architecture, {
    sockets: network === 'host',
    processes,
    fileMetadata: backend === 'bubblewrap',
    fileTimes: fileTimes || backend === 'bubblewrap',
  });
}

function confinementOf(options: LaunchOptions, descriptors: number): Confinement {
  const { command, args = [], cwd = '/', readable = [], writable = [], hidden = [] } = options;
  const { network = 'none', processes = false, fileTimes = false } = options;
  if (descriptors < 3 || descriptors > MAX_DESCRIPTORS)
    throw invalid('stdio', `stdio needs 3 to ${MAX_DESCRIPTORS} descriptors`);
  const relative = [command, cwd, ...readable, ...writable, ...hidden].find((path) => !isAbsolute(path));
  if (relative !== undefined) throw invalid(relative, `the path ${relative} is not absolute`);
  const all = [command, ...systemLibraries(), ...readable];
  return { command, args, cwd, readable: all, writable, hidden, network, processes, fileTimes, descriptors };
}

function invalid(path: string, message: string): ReinsError {
  return new ReinsError({ code: 'request_invalid', message, path });
}
