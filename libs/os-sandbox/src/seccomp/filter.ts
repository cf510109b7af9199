import {
  ALLOW,
  argument,
  EPERM,
  fail,
  type Instruction,
  instruction,
  JUMP_ANY_BIT,
  JUMP_EQUAL,
  JUMP_GREATER_EQUAL,
  LOAD,
  RETURN,
} from './bpf.ts';
import { NAMESPACED_SOCKETS, TCP_SOCKETS } from './sockets.ts';
import {
  type Architecture,
  FILE_METADATA,
  FILE_TIMES,
  FORBIDDEN,
  numbersOf,
  PROCESSES,
  SERVERS,
  SOCKETS,
  UNCOUNTED,
  UNFILTERED,
} from './syscalls.ts';

/**
 * The sockets of a child. `namespaced`: those that belong to its network namespace. `tcp`: outgoing TCP connections,
 * whose ports Landlock restricts.
 */
export type SocketRule = 'none' | 'all' | 'namespaced' | 'tcp';

/** What the filter allows. */
export interface FilterOptions {
  readonly sockets: SocketRule;
  /** Whether the child may start other processes, send them signals, watch files, and share memory. */
  readonly processes: boolean;
  /** Whether it may change the mode and the owner of files. */
  readonly fileMetadata: boolean;
  /** Whether it may change the times of files. */
  readonly fileTimes: boolean;
}

/** Offsets in `struct seccomp_data` (linux/seccomp.h). */
const NUMBER = 0;
const ARCHITECTURE = 4;

const KILL_PROCESS = 0x80000000;
const ENOSYS = 38;

const AUDIT_ARCHITECTURE: Readonly<Record<Architecture, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
const X32 = 0x40000000;
const CLONE_THREAD = 0x00010000;
/** All flags of `clone` that create a namespace. */
const CLONE_NEW = 0x7e020080;
/** `ioctl` requests that insert characters into the input of a terminal. */
const TERMINAL_INPUT = [0x5412, 0x541c];
/** Would allow a process to outlive its parent. */
const PR_SET_PDEATHSIG = 1;
/**
 * `fcntl` commands that block others on a file or send signals: F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY.
 */
const FILE_SIGNALS = [8, 10, 15, 1024, 1026];
const MAP_SHARED = 1;

/**
 * A seccomp program that refuses the calls that a confined child does not need, as an array of `struct sock_filter`.
 */
export function seccompFilter(architecture: Architecture, options: FilterOptions): Buffer {
  const program = [...prologue(architecture), ...refusals(architecture, options), instruction(RETURN, ALLOW)];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, jumpTrue, jumpFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jumpTrue, index * 8 + 2);
    bytes.writeUInt8(jumpFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}

/** System calls have other numbers on another architecture, so such a program is killed. */
function prologue(architecture: Architecture): Instruction[] {
  const checked = [
    instruction(LOAD, ARCHITECTURE),
    instruction(JUMP_EQUAL, AUDIT_ARCHITECTURE[architecture], 1, 0),
    instruction(RETURN, KILL_PROCESS),
    instruction(LOAD, NUMBER),
  ];
  if (architecture === 'arm64') return checked;
  return [...checked, instruction(JUMP_GREATER_EQUAL, X32, 0, 1), instruction(RETURN, fail(ENOSYS))];
}

function refusals(architecture: Architecture, options: FilterOptions): Instruction[] {
  const { sockets, processes, fileMetadata, fileTimes } = options;
  const refused = [
    ...FORBIDDEN,
    ...(sockets === 'none' ? SOCKETS : []),
    ...(sockets === 'tcp' ? SERVERS : []),
    ...(processes ? [] : [...PROCESSES, ...UNCOUNTED]),
    ...(fileMetadata ? [] : FILE_METADATA),
    ...(fileTimes ? [] : FILE_TIMES),
  ];
  const checked = sockets === 'namespaced' ? NAMESPACED_SOCKETS : sockets === 'tcp' ? TCP_SOCKETS : [];
  const numbers = (...names: string[]) => numbersOf(names, architecture);
  return [
    ...numbers(...refused).flatMap((number) => whenCalled(number, [instruction(RETURN, fail(EPERM))])),
    // Its flags are in memory, which a filter cannot read. The C library falls back to `clone`.
    ...numbers('clone3', ...UNFILTERED).flatMap((number) => whenCalled(number, [instruction(RETURN, fail(ENOSYS))])),
    ...numbers('clone').flatMap((number) =>
      whenCalled(number, processes ? cloneWithoutNamespaces() : cloneOfThreads()),
    ),
    ...checked.flatMap(({ names, body }) => numbers(...names).flatMap((number) => whenCalled(number, body))),
    ...numbers('ioctl').flatMap((number) => whenCalled(number, without(1, TERMINAL_INPUT))),
    ...numbers('prctl').flatMap((number) =>
      whenCalled(number, processes ? ignoring(0, PR_SET_PDEATHSIG) : without(0, [PR_SET_PDEATHSIG])),
    ),
    ...numbers('fcntl').flatMap((number) => whenCalled(number, without(1, FILE_SIGNALS))),
    ...(processes ? [] : numbers('mmap').flatMap((number) => whenCalled(number, withoutSharedMemory()))),
    ...numbers('prlimit64').flatMap((number) => whenCalled(number, onlyOwnProcess())),
  ];
}

/** Runs the instructions for this call. They end with a result. */
function whenCalled(number: number, body: readonly Instruction[]): Instruction[] {
  return [instruction(JUMP_EQUAL, number, 0, body.length), ...body];
}

/** The call succeeds without an effect if its argument has this value. Codex starts no command if it fails. */
const ignoring = (index: number, value: number): Instruction[] => [
  instruction(LOAD, argument(index)),
  instruction(JUMP_EQUAL, value, 0, 1),
  instruction(RETURN, fail(0)),
  instruction(RETURN, ALLOW),
];

const cloneWithoutNamespaces = (): Instruction[] => [
  instruction(LOAD, argument(0)),
  instruction(JUMP_ANY_BIT, CLONE_NEW, 0, 1),
  instruction(RETURN, fail(EPERM)),
  instruction(RETURN, ALLOW),
];

const cloneOfThreads = (): Instruction[] => [
  instruction(LOAD, argument(0)),
  instruction(JUMP_ANY_BIT, CLONE_THREAD, 1, 0),
  instruction(RETURN, fail(EPERM)),
  instruction(RETURN, ALLOW),
];

/** Refuses these values of an argument. */
const without = (index: number, values: readonly number[]): Instruction[] => [
  instruction(LOAD, argument(index)),
  ...values.flatMap((value) => [instruction(JUMP_EQUAL, value, 0, 1), instruction(RETURN, fail(EPERM))]),
  instruction(RETURN, ALLOW),
];

/** Refuses shared memory: the memory limit counts only private memory. */
const withoutSharedMemory = (): Instruction[] => [
  instruction(LOAD, argument(3)),
  instruction(JUMP_ANY_BIT, MAP_SHARED, 0, 1),
  instruction(RETURN, fail(EPERM)),
  instruction(RETURN, ALLOW),
];

/** Refuses `prlimit` for other processes. */
const onlyOwnProcess = (): Instruction[] => [
  instruction(LOAD, argument(0)),
  instruction(JUMP_EQUAL, 0, 1, 0),
  instruction(RETURN, fail(EPERM)),
  instruction(RETURN, ALLOW),
];
