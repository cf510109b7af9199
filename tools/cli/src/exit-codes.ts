import type { ErrorCode } from '@reins/contracts';

/** The exit codes of the CLI, documented in docs/cli.md. */
export const EXIT = {
  ok: 0,
  /** The run or the check failed. */
  failed: 1,
  /** The command line was wrong. */
  usage: 2,
  /** The gateway, the bus or the database could not be reached. */
  unreachable: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const UNREACHABLE: ReadonlySet<ErrorCode> = new Set(['service_unavailable', 'bus_unavailable']);

export function exitCodeOf(code: ErrorCode): ExitCode {
  if (code === 'wrong_usage') return EXIT.usage;
  return UNREACHABLE.has(code) ? EXIT.unreachable : EXIT.failed;
}
