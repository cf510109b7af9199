import { type Problem, ReinsError, type RunAddress } from '@reins/contracts';
import type { Entry } from '../entries/entry.ts';
import type { LoadedJournal } from './journal-store.ts';
import { isCorruptionEnd, type RecoveredJournal } from './recover-commits.ts';
import type { StoredCommit } from './stored-commit.ts';

interface Corruption {
  readonly run: RunAddress;
  readonly commits: readonly StoredCommit[];
  readonly validPrefix: LoadedJournal;
  readonly recovered: RecoveredJournal;
}

/** The journal of a run in a stream is corrupted (`journal_corrupt`). Contains the readable part. */
export class CorruptedJournalError extends ReinsError {
  readonly run: RunAddress;
  readonly #commits: readonly StoredCommit[];
  /**
   * The entries before the first invalid one. `position` is that of the whole journal, so that an append goes after the
   * corrupted part.
   */
  readonly validPrefix: LoadedJournal;
  /** What a repair keeps. */
  readonly recovered: RecoveredJournal;

  constructor(problems: readonly Problem[], { run, commits, validPrefix, recovered }: Corruption) {
    super(problems.map((problem) => ({ ...problem, hint: repairHint(run) })));
    this.run = run;
    this.#commits = commits;
    this.validPrefix = validPrefix;
    this.recovered = recovered;
  }

  /** The number of messages. Each should be one commit. */
  get messages(): number {
    return this.#commits.length;
  }

  /** The last entry, if it can be read. */
  get last(): Entry | undefined {
    return this.#commits.at(-1)?.entries?.at(-1);
  }

  /** The entries with which its owner ended the run because of the corruption; empty if it has not done so yet. */
  get corruptionEnd(): readonly Entry[] {
    return this.#commits.findLast(isCorruptionEnd)?.entries ?? [];
  }
}

const repairHint = ({ runId }: RunAddress): string =>
  `run \`reins run:repair-journal ${runId} --dry-run\` to see what can be kept`;

/** For `.catch` of a load: returns a `CorruptedJournalError`, and rethrows any other error. */
export function asCorruptedJournal(error: unknown): CorruptedJournalError {
  if (error instanceof CorruptedJournalError) return error;
  throw error;
}
