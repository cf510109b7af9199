import {
  ALLOW,
  AND,
  argument,
  EPERM,
  fail,
  type Instruction,
  instruction,
  JUMP_ANY_BIT,
  JUMP_EQUAL,
  LOAD,
  RETURN,
} from './bpf.ts';

/** Calls whose arguments are checked, and the instructions that decide. */
export interface CheckedCalls {
  readonly names: readonly string[];
  readonly body: readonly Instruction[];
}

const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] = [1, 2, 10, 16] as const;
/** The type of a socket without its flags. */
const TYPE_MASK = 0xf;
const [SOCK_STREAM, SOCK_SEQPACKET] = [1, 5] as const;
const IPPROTO_TCP = 6;
const NETLINK_ROUTE = 0;
/** Sends data with a connection that no rule for `connect` sees. */
const MSG_FASTOPEN = 0x20000000;
const EAFNOSUPPORT = 97;

/** The condition of an instruction: an argument has one of these values. */
interface Condition {
  readonly argument: number;
  readonly mask?: number;
  readonly values: readonly number[];
}

/**
 * The sockets that a network namespace separates from those of the host. It does not separate others, such as
 * `AF_VSOCK`, which reaches the hypervisor.
 */
export const NAMESPACED_SOCKETS: readonly CheckedCalls[] = [
  { names: ['socket'], body: anyOf([[{ argument: 0, values: [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] }]]) },
];

/**
 * Outgoing TCP connections, whose ports Landlock checks. No datagrams, no Multipath TCP, no Fast Open: it does not see
 * them. No Unix sockets but connected pairs: it does not restrict those with a path.
 */
export const TCP_SOCKETS: readonly CheckedCalls[] = [
  {
    names: ['socket'],
    body: anyOf([
      [
        { argument: 0, values: [AF_INET, AF_INET6] },
        { argument: 1, mask: TYPE_MASK, values: [SOCK_STREAM] },
        { argument: 2, values: [0, IPPROTO_TCP] },
      ],
      [
        { argument: 0, values: [AF_NETLINK] },
        { argument: 2, values: [NETLINK_ROUTE] },
      ],
    ]),
  },
  {
    names: ['socketpair'],
    body: anyOf([
      [
        { argument: 0, values: [AF_UNIX] },
        { argument: 1, mask: TYPE_MASK, values: [SOCK_STREAM, SOCK_SEQPACKET] },
      ],
    ]),
  },
  { names: ['sendto', 'sendmmsg'], body: withoutFlag(3, MSG_FASTOPEN) },
  { names: ['sendmsg'], body: withoutFlag(2, MSG_FASTOPEN) },
];

/** Allows the call if all conditions of one alternative are true. */
function anyOf(alternatives: readonly (readonly Condition[])[]): Instruction[] {
  return [...alternatives.flatMap(alternative), instruction(RETURN, fail(EAFNOSUPPORT))];
}

/** Ends with `ALLOW`. Continues after its instructions as soon as a condition is false. */
function alternative(conditions: readonly Condition[]): Instruction[] {
  const program = [instruction(RETURN, ALLOW)];
  for (const condition of conditions.toReversed()) program.unshift(...check(condition, program.length));
  return program;
}

/** Skips the given number of instructions unless the condition is true. */
function check({ argument: index, mask, values }: Condition, skipped: number): Instruction[] {
  return [
    instruction(LOAD, argument(index)),
    ...(mask === undefined ? [] : [instruction(AND, mask)]),
    ...values.map((value, at) => {
      const left = values.length - 1 - at;
      return instruction(JUMP_EQUAL, value, left, left === 0 ? skipped : 0);
    }),
  ];
}

function withoutFlag(index: number, flag: number): Instruction[] {
  return [
    instruction(LOAD, argument(index)),
    instruction(JUMP_ANY_BIT, flag, 0, 1),
    instruction(RETURN, fail(EPERM)),
    instruction(RETURN, ALLOW),
  ];
}
