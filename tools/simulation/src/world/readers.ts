import { type BlobRef, journalSubject, type RunAddress } from '@reins/contracts';
import { type Entry, encodeCommit, loadThroughArchive, streamJournalLoader } from '@reins/journal';
import type { StoredCommit } from '../server/journals.ts';
import { allJournals } from '../server/read-journals.ts';
import { PARTITIONS } from './settings.ts';
import type { WorldOptions } from './world-options.ts';

const SLOW_MS = 5_000;

/** A journal that was read incorrectly. */
export interface ReadMismatch {
  readonly run: RunAddress;
  readonly message: string;
}

/** Readers of journals. They read in parts, with pauses, while owners append and archive. */
export class Readers {
  readonly #world: WorldOptions;
  readonly mismatches: ReadMismatch[] = [];

  constructor(world: WorldOptions) {
    this.#world = world;
  }

  /** Reads random journals at random times. */
  read(times: number, within: number): void {
    const { random, scheduler, server } = this.#world;
    for (let time = 0; time < times; time += 1) {
      scheduler.after(random.between(0, within), () => {
        const journals = allJournals(server);
        if (journals.length > 0) void this.#compare(random.pick(journals).run);
        return true;
      });
    }
  }

  /** Reads every journal now, without pauses. */
  async readAll(): Promise<void> {
    for (const { run } of allJournals(this.#world.server)) await this.#compare(run, async (read) => read());
  }

  /** Checks that a read returns all earlier entries and no unknown ones. */
  async #compare(run: RunAddress, fetch = this.#delayed): Promise<void> {
    const before = this.#written(run);
    const wrong = await this.#load(run, fetch).then(
      (entries) => difference(entries, before, this.#written(run)),
      (error) => `read failed: ${error}`,
    );
    if (wrong) this.mismatches.push({ run, message: wrong });
  }

  async #load(run: RunAddress, fetch: Fetch): Promise<readonly Entry[]> {
    const { server } = this.#world;
    const read = async (subject: string): Promise<readonly StoredCommit[]> => {
      const [first, ...rest] = await fetch(() => server.journals.read(subject));
      return first && rest.length > 0
        ? [first, ...(await fetch(() => server.journals.read(subject, first.seq + 1)))]
        : [first].filter((commit) => commit !== undefined);
    };
    const load = loadThroughArchive(streamJournalLoader({ read }, { partitions: PARTITIONS }), (ref: BlobRef) =>
      fetch(() => server.getBlob(ref)),
    );
    return (await load(run)).entries;
  }

  readonly #delayed: Fetch = (read) =>
    new Promise((resolve, reject) => {
      const { random, scheduler } = this.#world;
      scheduler.after(random.between(1, SLOW_MS), () => {
        try {
          resolve(read());
        } catch (error) {
          reject(error);
        }
        return true;
      });
    });

  #written(run: RunAddress): readonly Entry[] {
    const subject = journalSubject(run, PARTITIONS);
    return this.#world.server.journals.allCommits
      .filter((commit) => commit.subject === subject)
      .flatMap(({ commit }) => commit.entries);
  }
}

type Fetch = <T>(read: () => T) => Promise<T>;

function difference(read: readonly Entry[], before: readonly Entry[], after: readonly Entry[]): string | undefined {
  if (read.length < before.length) return `the read returned ${read.length} of ${before.length} entries`;
  const wrong = read.findIndex((entry, index) => textOf(entry) !== textOf(after[index]));
  return wrong < 0 ? undefined : `entry ${wrong + 1} differs from what was written`;
}

const textOf = (entry: Entry | undefined): string =>
  entry ? new TextDecoder().decode(encodeCommit({ entries: [entry], epoch: 0 })) : '';
