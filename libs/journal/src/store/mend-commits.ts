import { problemsOfEntry, type RunAddress } from '@reins/contracts';
import { type Entry, type EntryDraft, hashEntry } from '../entries/entry.ts';
import { emptyRun } from '../state/run-state.ts';
import { asNext, type Dated, withoutRequest } from '../verify/lawful.ts';
import type { Steps } from '../verify/steps.ts';
import type { StoredCommit } from './stored-commit.ts';

/** Something in a journal, and what is wrong with it. */
export interface Wrong {
  /** `sequence 12` of a message that cannot be read, `entry 7` of one entry. */
  readonly name: string;
  readonly why: string;
  /** Of an entry that can be read. */
  readonly type?: string;
}

/** What can be kept of a damaged journal. */
export interface Mended {
  /** Numbered and chained anew: a whole journal, or none. */
  readonly entries: readonly Entry[];
  /** What each of them was called in the damaged journal. */
  readonly names: readonly string[];
  readonly dropped: readonly Wrong[];
  /** Entries that are not what was written, but may stand where they are. */
  readonly suspicious: readonly Wrong[];
  /** What the run will miss, in plain words. */
  readonly warnings: readonly string[];
}

/**
 * Keeps of a damaged journal on a stream what is lawful where it stands, by the rules that run directories are repaired by; nothing lies
 * beside it that could give back what is lost. The end that its owner set because of the damage goes: a run that is repaired goes on. Pure;
 * an entry with each step.
 */
export function* mending(run: RunAddress, commits: readonly StoredCommit[]): Steps<Mended> {
  const dropped: Wrong[] = [];
  const readable: Readable[] = [];
  for (const commit of commits) {
    if (isSeal(commit)) continue;
    for (const one of readableIn(commit, dropped)) {
      readable.push(one);
      yield;
    }
  }
  const state = emptyRun(run);
  const kept: Readable[] = [];
  const entries: Entry[] = [];
  const suspicious: Wrong[] = [];
  for (const one of readable) {
    const { name, entry } = one;
    const next = asNext(state, one);
    if (typeof next === 'string') dropped.push({ name, why: next, type: entry.type });
    else {
      kept.push(one);
      entries.push(next);
      if (!isAsWritten(entry, next)) suspicious.push({ name, why: FORGED, type: entry.type });
    }
    yield;
  }
  dropped.push(...commits.filter(isSeal).flatMap(sealedBy));
  const lost = withoutRequest(readable, kept).map(
    (effectId) => `the request of effect ${effectId} is lost: its process asks for it again`,
  );
  const names = kept.map(({ name }) => name);
  return { entries, names, dropped, suspicious, warnings: [...missing(readable), ...lost] };
}

const FORGED = 'its hash is not that of its content';

/** @param anew the same entry with its place in what is kept: where that has its hash, nothing of it is another */
const isAsWritten = (entry: Entry, anew: Entry): boolean => anew.hash === entry.hash || hashEntry(entry) === entry.hash;

/** With it the owner of a run ended it, because its journal turned out to be damaged. */
export function isSeal({ entries }: StoredCommit): boolean {
  const data = entries?.at(-1)?.data;
  return data !== undefined && 'sealed' in data;
}

const sealedBy = ({ entries = [] }: StoredCommit): Wrong[] =>
  entries.map(({ type, version }) => ({
    name: `entry ${version}`,
    why: 'its owner ended the run with it, because of the damage',
    type,
  }));

interface Readable extends Dated {
  readonly name: string;
  readonly entry: Entry;
}

function readableIn(commit: StoredCommit, dropped: Wrong[]): Readable[] {
  if (!commit.entries) {
    dropped.push({ name: `sequence ${commit.seq}`, why: commit.problem.message });
    return [];
  }
  return commit.entries.flatMap((entry): Readable[] => {
    const { version, type, data, recordedAt } = entry;
    const name = `entry ${version}`;
    const [problem] = problemsOfEntry(type, data);
    if (!problem) return [{ name, entry, draft: { type, data } as EntryDraft, recordedAt }];
    dropped.push({ name, why: problem.message, type });
    return [];
  });
}

/** Versions that nothing can be read of, as ranges. */
function missing(readable: readonly Readable[]): string[] {
  const ranges: [number, number][] = [];
  let before = 0;
  for (const version of readable.map(({ entry }) => entry.version).sort((a, b) => a - b)) {
    if (version > before + 1) ranges.push([before + 1, version - 1]);
    before = Math.max(before, version);
  }
  return ranges.map(([from, to]) => (from === to ? `entry ${from} is gone` : `the entries ${from} to ${to} are gone`));
}
