import { expect, test } from '@jest/globals';
import { type FilterOptions, seccompFilter } from './filter.ts';
import { numbersOf } from './syscalls.ts';

const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const KILL = 0x80000000;

interface Call {
  readonly name: string;
  readonly args?: readonly number[];
}

/** Runs a filter as the kernel does. */
function resultOf(
  architecture: 'x64' | 'arm64',
  options: FilterOptions,
  { name, args = [] }: Call,
  audit?: number,
): number {
  const program = seccompFilter(architecture, options);
  const data = Buffer.alloc(64);
  data.writeUInt32LE(numbersOf([name], architecture)[0] ?? 63, 0);
  data.writeUInt32LE(audit ?? (architecture === 'x64' ? 0xc000003e : 0xc00000b7), 4);
  for (const [index, value] of args.entries()) data.writeUInt32LE(value, 16 + 8 * index);
  let loaded = 0;
  for (let at = 0; at < program.length; at += 8) {
    const [code, jumpTrue, jumpFalse] = [
      program.readUInt16LE(at),
      program.readUInt8(at + 2),
      program.readUInt8(at + 3),
    ];
    const value = program.readUInt32LE(at + 4);
    const jump = (isTrue: boolean) => 8 * (isTrue ? jumpTrue : jumpFalse);
    if (code === 0x20) loaded = data.readUInt32LE(value);
    else if (code === 0x15) at += jump(loaded === value);
    else if (code === 0x35) at += jump(loaded >= value);
    else if (code === 0x45) at += jump((loaded & value) !== 0);
    else if (code === 0x54) loaded &= value;
    else return value;
  }
  throw new Error('the filter has no end');
}

const STRICT: FilterOptions = { sockets: 'none', processes: false, fileMetadata: false, fileTimes: false };
const OPEN: FilterOptions = { sockets: 'all', processes: true, fileMetadata: true, fileTimes: true };
const THREAD = 0x003d0f00;

test.each(['x64', 'arm64'] as const)('refuses calls that a child does not need on %s', (architecture) => {
  const strict = (call: Call) => resultOf(architecture, STRICT, call);
  const open = (call: Call) => resultOf(architecture, OPEN, call);
  expect(['ptrace', 'bpf', 'mount', 'socket', 'kill', 'fchmodat'].map((name) => strict({ name }))).toEqual(
    Array(6).fill(EPERM),
  );
  expect(strict({ name: 'utimensat' })).toBe(EPERM);
  const onlyTimes = { ...STRICT, fileTimes: true };
  expect(['utimensat', 'fchmodat'].map((name) => resultOf(architecture, onlyTimes, { name }))).toEqual([ALLOW, EPERM]);
  expect(['ptrace', 'bpf', 'mount'].map((name) => open({ name }))).toEqual(Array(3).fill(EPERM));
  expect(['socket', 'kill', 'fchmodat', 'socketpair'].map((name) => open({ name }))).toEqual(Array(4).fill(ALLOW));
  expect(['clone3', 'io_uring_setup'].map((name) => open({ name }))).toEqual([ENOSYS, ENOSYS]);
  expect([strict({ name: 'clone', args: [THREAD] }), strict({ name: 'clone', args: [0x11] })]).toEqual([ALLOW, EPERM]);
  expect([open({ name: 'clone', args: [0x11] }), open({ name: 'clone', args: [0x10000000] })]).toEqual([ALLOW, EPERM]);
  expect([open({ name: 'ioctl', args: [1, 0x5412] }), open({ name: 'ioctl', args: [1, 0x5401] })]).toEqual([
    EPERM,
    ALLOW,
  ]);
  expect([open({ name: 'prlimit64', args: [0] }), open({ name: 'prlimit64', args: [1] })]).toEqual([ALLOW, EPERM]);
  const deathSignal = { name: 'prctl', args: [1, 0] };
  const IGNORED = 0x00050000; // SECCOMP_RET_ERRNO without an error
  expect([strict(deathSignal), open(deathSignal), open({ name: 'prctl', args: [15] })]).toEqual([
    EPERM,
    IGNORED,
    ALLOW,
  ]);
  expect([8, 10, 15, 1024, 1026, 1, 4].map((command) => open({ name: 'fcntl', args: [3, command] }))).toEqual([
    ...Array(5).fill(EPERM),
    ...[ALLOW, ALLOW],
  ]);
  expect([0x21, 0x01, 0x03, 0x22, 0x02].map((flags) => strict({ name: 'mmap', args: [0, 1, 3, flags] }))).toEqual([
    ...[EPERM, EPERM, EPERM],
    ...[ALLOW, ALLOW],
  ]);
  expect(open({ name: 'mmap', args: [0, 1, 3, 0x21] })).toBe(ALLOW);
  expect(['memfd_create', 'inotify_add_watch'].map((name) => [strict({ name }), open({ name })])).toEqual([
    [EPERM, ALLOW],
    [EPERM, ALLOW],
  ]);
  expect(strict({ name: 'none of these' })).toBe(ALLOW);
});

test('kills programs of another architecture', () => {
  expect(resultOf('x64', OPEN, { name: 'ptrace' }, 0x40000003)).toBe(KILL);
});

test.each(['x64', 'arm64'] as const)('allows only sockets that the sandbox can restrict on %s', (architecture) => {
  const EAFNOSUPPORT = 0x00050061;
  const [UNIX, INET, INET6, NETLINK, PACKET, VSOCK] = [1, 2, 10, 16, 17, 40] as const;
  const [STREAM, DATAGRAM, RAW, FLAGS] = [1, 2, 3, 0o2004000] as const;
  const sockets = (rule: FilterOptions['sockets'], calls: readonly (readonly number[])[], name = 'socket') =>
    calls.map((args) => resultOf(architecture, { ...OPEN, sockets: rule }, { name, args }));

  const local = [UNIX, INET, INET6, NETLINK].map((family) => [family, DATAGRAM, 0]);
  expect(sockets('namespaced', local)).toEqual(Array(4).fill(ALLOW));
  expect(sockets('namespaced', [[PACKET], [VSOCK], [38]])).toEqual(Array(3).fill(EAFNOSUPPORT));

  const tcp = [
    [INET, STREAM, 0],
    [INET6, STREAM | FLAGS, 6],
    [NETLINK, RAW | FLAGS, 0],
  ] as const;
  expect(sockets('tcp', tcp)).toEqual(Array(3).fill(ALLOW));
  const others = [
    ...[
      [UNIX, STREAM, 0],
      [INET, DATAGRAM, 0],
      [INET, RAW, 1],
      [INET, STREAM, 262],
      [INET6, STREAM, 132],
    ],
    ...[
      [NETLINK, RAW, 15],
      [VSOCK, STREAM, 0],
      [PACKET, RAW, 0],
    ],
  ];
  expect(sockets('tcp', others)).toEqual(Array(8).fill(EAFNOSUPPORT));
  expect(
    sockets(
      'tcp',
      [
        [UNIX, STREAM | FLAGS, 0],
        [UNIX, DATAGRAM, 0],
      ],
      'socketpair',
    ),
  ).toEqual([ALLOW, EAFNOSUPPORT]);
  expect(
    sockets(
      'tcp',
      [
        [3, 0, 1, 0x20000000],
        [3, 0, 1, 0x4000],
      ],
      'sendto',
    ),
  ).toEqual([EPERM, ALLOW]);
  expect(
    sockets(
      'tcp',
      [
        [3, 0, 0x20000000],
        [3, 0, 0x4000],
      ],
      'sendmsg',
    ),
  ).toEqual([EPERM, ALLOW]);
  expect(sockets('tcp', [[3]], 'listen')).toEqual([EPERM]);
  expect(sockets('all', [[VSOCK, STREAM, 0]])).toEqual([ALLOW]);
});
