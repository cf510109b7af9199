import type { Problem } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import type { Replay } from '@reins/replay';
import type { StatusReport } from '@reins/run-directory';
import { wholeNumber, wrongUsage } from '../arguments.ts';
import type { ReplayFlags } from './flags.ts';

/** The result of replaying the first entries of a journal. */
export interface ReplayResult {
  readonly runId: string;
  readonly to: number;
  readonly replay: Replay;
  /** The status of the run after these entries, as in `run:status`. */
  readonly status: StatusReport['state'];
  /** The status to report for a run whose process failed. */
  readonly ofBroken: StatusReport['state'];
  /** Problems that `--verify` found. */
  readonly problems: readonly Problem[];
}

/** The entries up to `--to`. @throws ReinsError `wrong_usage` when `--to` is beyond the end */
export function firstEntries(entries: readonly Entry[], { to }: ReplayFlags): readonly Entry[] {
  const count = to === undefined ? entries.length : wholeNumber(to, '--to');
  if (count > entries.length)
    throw wrongUsage(`--to must be at most ${entries.length}, the number of entries (got ${count})`);
  return entries.slice(0, count);
}
