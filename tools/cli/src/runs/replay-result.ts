import type { Problem } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import type { StatusReport } from '@reins/journal/rundir';
import type { Replay } from '@reins/replay';
import { wholeNumber, wrongUsage } from '../arguments.ts';
import type { RunsFlags } from './locate.ts';

export interface ReplayFlags extends RunsFlags {
  readonly verify?: boolean;
  readonly to?: string;
}

/** The first entries of a journal, and what its process does with them. */
export interface ReplayResult {
  readonly runId: string;
  readonly to: number;
  readonly replay: Replay;
  /** How the run stands by these entries, as `run:status` says it. */
  readonly status: StatusReport['state'];
  /** What is said of one whose process failed by itself. */
  readonly ofBroken: StatusReport['state'];
  /** What is wrong beside that. */
  readonly problems: readonly Problem[];
}

/** @throws ReinsError `wrong_usage` when `--to` lies beyond the end */
export function firstEntries(entries: readonly Entry[], { to }: ReplayFlags): readonly Entry[] {
  const count = to === undefined ? entries.length : wholeNumber(to, '--to');
  if (count > entries.length) throw wrongUsage(`the journal ends at entry ${entries.length}`);
  return entries.slice(0, count);
}
