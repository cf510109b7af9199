import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Duplex } from 'node:stream';
import { ReinsError } from '@reins/contracts';
import { bubblewrapCommand, bubblewrapEnvironment } from './backends/bubblewrap.ts';
import { landlockCommand } from './backends/landlock.ts';
import { type Confinement, environmentText, type OwnDescriptors } from './confinement.ts';
import { doorsOf, type Network, needsForwarder, servedPortsOf } from './doors/door.ts';
import { forwarderFiles } from './doors/forwarder-command.ts';
import { PortListener } from './doors/port-listener.ts';
import { inheritedDescriptors } from './inherited-descriptors.ts';
import type { Isolation } from './isolation.ts';
import { type SocketRule, seccompFilter } from './seccomp/filter.ts';
import { systemLibraries } from './system-libraries.ts';

export interface LaunchOptions {
  /** Absolute path of the program. The child may read it and the system libraries. */
  readonly command: string;
  readonly args?: readonly string[];
  /**
   * The whole environment. Default: empty. It may come from untrusted code: with a backend, no process outside of the
   * sandbox has it, since variables such as `LD_PRELOAD` load code.
   */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Names of variables in `env` that the processes around the child have as well, so that others find them. Their values
   * must not come from untrusted code.
   */
  readonly marks?: readonly string[];
  /** Default `/`. */
  readonly cwd?: string;
  /** Absolute paths of files and folders that the child may read. */
  readonly readable?: readonly string[];
  /** Absolute paths of files and folders that the child may also change. */
  readonly writable?: readonly string[];
  /**
   * Absolute paths of folders inside these that the child sees as empty. Landlock cannot hide them, because its rules
   * only add access.
   */
  readonly hidden?: readonly string[];
  /** Default `none`, which also excludes the loopback interface of the host. Doors and served ports need `processes`. */
  readonly network?: Network;
  /** Whether it may start other processes. Default: no. */
  readonly processes?: boolean;
  /** Whether it may change the times of files. Under Landlock this applies to all files of its user. Default: no. */
  readonly fileTimes?: boolean;
  /** One for each descriptor of the child, at most six. Default: no input, and pipes for both outputs. */
  readonly stdio?: readonly ('pipe' | 'ignore' | 'inherit')[];
  /** Whether it leads its own process group, so that signals of a terminal do not reach it. Default: no. */
  readonly detached?: boolean;
  readonly limits?: {
    /** Maximum size of the data segment in KiB: heap and buffers together. */
    readonly dataKb?: number;
    /** Maximum size of a file that it writes, in KiB. */
    readonly fileKb?: number;
    readonly openFiles?: number;
  };
}

/** `sh` parses only one digit before a redirection. */
const MAX_DESCRIPTORS = 9;
/** The guard, the seccomp program and the environment. */
const OWN_DESCRIPTORS = 3;

/**
 * A shell sets the limits, starts a guard in the background, and then executes the command. The guard reads from a pipe
 * whose other end this process holds. If that end closes before a line was written, the guard kills the command.
 */
function script(
  descriptors: number,
  { all, surplus }: { readonly all: number; readonly surplus: readonly number[] },
  limits: LaunchOptions['limits'] = {},
): string {
  const guard = descriptors;
  const others = closing([...Array(all).keys()].filter((each) => each >= 3 && each !== guard).concat(surplus));
  const { dataKb, fileKb, openFiles } = limits;
  return [
    'ulimit -c 0',
    // On kernels that do not support this limit, only the heap limit of V8 applies.
    ...(dataKb === undefined ? [] : [`ulimit -d ${dataKb} 2>/dev/null`]),
    ...(fileKb === undefined ? [] : [`ulimit -f ${fileKb * 2}`]),
    ...(openFiles === undefined ? [] : [`ulimit -n ${openFiles}`]),
    `(exec 0</dev/null 1>/dev/null 2>&1 ${others}; read -r word <&${guard} || kill -9 $$) &`,
    `exec ${guard}<&- ${closing(surplus)} "$0" "$@"`,
  ].join('\n');
}

const closing = (descriptors: readonly number[]): string => descriptors.map((each) => `${each}>&-`).join(' ');

/**
 * `sh` on most systems cannot close descriptors of two digits; bash can. `--norc` is needed because bash reads the
 * user's settings when its input is a socket, and the pipes of Node.js are sockets.
 */
function shellFor(surplus: readonly number[]): [shell: string, ...options: string[]] {
  const needsBash = surplus.some((descriptor) => descriptor > 9) && existsSync('/bin/bash');
  return needsBash ? ['/bin/bash', '--noprofile', '--norc'] : ['/bin/sh'];
}

/**
 * Starts a child in a sandbox. The child dies with this process.
 * @throws ReinsError `request_invalid` for a path that is not absolute, and for a variable with a NUL byte
 */
export function launchIsolated(isolation: Isolation, options: LaunchOptions): ChildProcess {
  const { stdio = ['ignore', 'pipe', 'pipe'], env = {}, marks = [], detached = false, limits } = options;
  const isConfined = isolation.backend !== 'none';
  const confinement = confinementOf(options, stdio.length);
  const served = servedPortsOf(confinement.network);
  if (served.length > 0 && isolation.backend !== 'bubblewrap')
    throw invalid('network', `the host cannot reach the ports of a child in the sandbox ${isolation.backend}`);
  const own = { seccomp: stdio.length + 1, environment: stdio.length + 2, listeners: stdio.length + 3 };
  const [program = '', ...args] = commandOf(isolation, confinement, own);
  const all = own.listeners + served.length;
  const surplus = inheritedDescriptors().filter((descriptor) => descriptor >= all);
  const [shell, ...shellOptions] = shellFor(surplus);
  const forConfining = isConfined ? 'pipe' : 'ignore';
  const listeners = served.map(({ socket }) => new PortListener(socket));
  const child = spawn(
    shell,
    [...shellOptions, '-c', script(stdio.length, { all, surplus }, limits), program, ...args],
    {
      cwd: '/',
      env: isConfined ? Object.fromEntries(Object.entries(env).filter(([name]) => marks.includes(name))) : env,
      detached,
      stdio: [
        ...[...stdio, 'pipe', forConfining, forConfining],
        ...listeners.map(({ descriptor }) => descriptor),
      ] as StdioOptions,
    },
  );
  for (const listener of listeners) listener.handOver();
  const guard = child.stdio[stdio.length] as Duplex | null;
  const filter = child.stdio[own.seccomp as 4] as Duplex | null;
  const environment = child.stdio[own.environment as 4] as Duplex | null;
  // The child has ended, which `exit` reports.
  for (const pipe of [guard, filter, environment]) pipe?.on('error', () => undefined);
  filter?.end(filterOf(isolation, confinement));
  environment?.end(environmentOf(isolation, confinement, env));
  // Makes the guard exit. It holds descriptors of the child, so `close` would otherwise never be emitted.
  for (const end of ['exit', 'error'])
    child.once(end, () => {
      guard?.end('over\n');
      for (const listener of listeners) listener.remove();
    });
  return child;
}

function commandOf(isolation: Isolation, confinement: Confinement, descriptors: OwnDescriptors): string[] {
  const { command, args } = confinement;
  if (isolation.backend === 'bubblewrap') return bubblewrapCommand(isolation.program, confinement, descriptors);
  if (isolation.backend === 'landlock') return landlockCommand(isolation.program, confinement, descriptors);
  return [command, ...args];
}

/** In the format of what reads it: bubblewrap, or otherwise our helper or our forwarder. */
function environmentOf(
  { backend }: Isolation,
  { network }: Confinement,
  env: Readonly<Record<string, string>>,
): string {
  const isForBubblewrap = backend === 'bubblewrap' && !needsForwarder(network);
  return isForBubblewrap ? bubblewrapEnvironment(env) : environmentText(env);
}

function filterOf({ backend }: Isolation, { network, processes, fileTimes }: Confinement): Buffer {
  const architecture = process.arch === 'arm64' ? 'arm64' : 'x64';
  // In a mount namespace the child sees only files whose mode it may change anyway.
  return seccompFilter(architecture, {
    sockets: socketsOf(backend, network),
    processes,
    fileMetadata: backend === 'bubblewrap',
    fileTimes: fileTimes || backend === 'bubblewrap',
  });
}

function socketsOf(backend: Isolation['backend'], network: Network): SocketRule {
  if (typeof network === 'string') return network === 'host' ? 'all' : 'none';
  return backend === 'bubblewrap' ? 'namespaced' : 'tcp';
}

function confinementOf(options: LaunchOptions, descriptors: number): Confinement {
  const { command, args = [], cwd = '/', readable = [], writable = [], hidden = [] } = options;
  const { network = 'none', processes = false, fileTimes = false, env = {} } = options;
  const most = MAX_DESCRIPTORS - OWN_DESCRIPTORS - servedPortsOf(network).length;
  if (descriptors < 3 || descriptors > most) throw invalid('stdio', `stdio needs 3 to ${most} descriptors`);
  // The environment is passed on as text with this separator, so a value with one would add arguments.
  const separated = Object.entries(env).find((entry) => entry.some((part) => part.includes('\0')));
  if (separated !== undefined) throw invalid('env', `the variable ${JSON.stringify(separated[0])} contains a NUL byte`);
  const relative = [
    ...[command, cwd, ...readable, ...writable, ...hidden],
    ...[...doorsOf(network), ...servedPortsOf(network)].map(({ socket }) => socket),
  ].find((path) => !isAbsolute(path));
  if (relative !== undefined) throw invalid(relative, `the path ${relative} is not absolute`);
  const isForwarded = needsForwarder(network);
  if (isForwarded && !processes) throw invalid('network', 'a child with doors must be allowed to start processes');
  const all = [command, ...systemLibraries(), ...readable, ...(isForwarded ? forwarderFiles() : [])];
  return { command, args, cwd, readable: all, writable, hidden, network, processes, fileTimes, descriptors };
}

function invalid(path: string, message: string): ReinsError {
  return new ReinsError({ code: 'request_invalid', message, path });
}
