import { type Problem, ReinsError, type RunAddress } from '@reins/contracts';
import type { Entry } from '../entries/entry.ts';
import type { LoadedJournal } from './journal-store.ts';
import { type Mended, mendCommits, type StoredCommit } from './mend-commits.ts';

/** How the journal of a run on a stream is not whole (`journal_corrupt`), and what there is of it. */
export class DamagedJournal extends ReinsError {
  readonly #run: RunAddress;
  readonly #commits: readonly StoredCommit[];
  /** The entries before the first one that is wrong. Its position is that of the whole journal: whoever appends, appends behind the damage. */
  readonly standing: LoadedJournal;

  constructor(
    problems: readonly Problem[],
    { run, commits, standing }: { run: RunAddress; commits: readonly StoredCommit[]; standing: LoadedJournal },
  ) {
    super(problems.map((problem) => ({ ...problem, hint: repairHint(run) })));
    this.#run = run;
    this.#commits = commits;
    this.standing = standing;
  }

  /** The entries of its last commit, where that can be read. */
  get lastCommit(): readonly Entry[] {
    return this.#commits.at(-1)?.entries ?? [];
  }

  /** What a repair keeps of it. */
  get mended(): Mended {
    return mendCommits(this.#run, this.#commits);
  }
}

const repairHint = ({ runId }: RunAddress): string =>
  `\`reins run:repair-journal ${runId} --dry-run\` says what of it can be kept`;
