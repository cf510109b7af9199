/** Instructions of classic BPF (linux/bpf_common.h). */
export const LOAD = 0x20;
export const JUMP_EQUAL = 0x15;
export const JUMP_GREATER_EQUAL = 0x35;
export const JUMP_ANY_BIT = 0x45;
export const AND = 0x54;
export const RETURN = 0x06;

/**
 * The offset of an argument in `struct seccomp_data` (linux/seccomp.h). Of its low half, which contains all flags used
 * here.
 */
export const argument = (index: number): number => 16 + 8 * index;

export const ALLOW = 0x7fff0000;
export const fail = (errno: number): number => 0x00050000 | errno;
export const EPERM = 1;

export type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, value: number];

export const instruction = (code: number, value: number, jumpTrue = 0, jumpFalse = 0): Instruction => [
  code,
  jumpTrue,
  jumpFalse,
  value,
];
