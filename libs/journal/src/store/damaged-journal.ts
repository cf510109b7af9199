import { type Problem, ReinsError, type RunAddress } from '@reins/contracts';
import type { Entry } from '../entries/entry.ts';
import type { LoadedJournal } from './journal-store.ts';
import { isSeal, type Mended } from './mend-commits.ts';
import type { StoredCommit } from './stored-commit.ts';

interface DamageFound {
  readonly run: RunAddress;
  readonly commits: readonly StoredCommit[];
  readonly standing: LoadedJournal;
  readonly mended: Mended;
}

/** How the journal of a run on a stream is not whole (`journal_corrupt`), and what there is of it. */
export class DamagedJournal extends ReinsError {
  readonly run: RunAddress;
  readonly #commits: readonly StoredCommit[];
  /** The entries before the first one that is wrong. Its position is that of the whole journal: whoever appends, appends behind the damage. */
  readonly standing: LoadedJournal;
  /** What a repair keeps of it. */
  readonly mended: Mended;

  constructor(problems: readonly Problem[], { run, commits, standing, mended }: DamageFound) {
    super(problems.map((problem) => ({ ...problem, hint: repairHint(run) })));
    this.run = run;
    this.#commits = commits;
    this.standing = standing;
    this.mended = mended;
  }

  /** How many messages there are, each of them a commit once. */
  get messages(): number {
    return this.#commits.length;
  }

  /** The last entry, where it can be read. */
  get last(): Entry | undefined {
    return this.#commits.at(-1)?.entries?.at(-1);
  }

  /** The entries that its owner ended the run with because of the damage; none while it has not. */
  get seal(): readonly Entry[] {
    return this.#commits.findLast(isSeal)?.entries ?? [];
  }
}

const repairHint = ({ runId }: RunAddress): string =>
  `\`reins run:repair-journal ${runId} --dry-run\` says what of it can be kept`;
