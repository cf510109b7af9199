import { type ErrorCode, type Problem, problemsOfEntry, type RunAddress } from '@reins/contracts';
import { EMPTY_HEAD, type Entry, type EntryDraft, hashEntry, sealEntries } from '../entries/entry.ts';
import { emptyRun } from '../state/run-state.ts';
import { type Dated, unlawful, withoutRequest } from '../verify/lawful.ts';
import type { Commit } from './journal-store.ts';

/** A message of a journal's subject: the commit in it, or why there is none. */
export type StoredCommit =
  | (Commit & { readonly seq: number })
  | { readonly seq: number; readonly entries?: undefined; readonly problem: Problem };

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
 * beside it that could give back what is lost. The end that its owner set because of the damage goes: a run that is repaired goes on. Pure.
 */
export function mendCommits(run: RunAddress, commits: readonly StoredCommit[]): Mended {
  const dropped: Wrong[] = [];
  const readable = commits.flatMap((commit) => (isSeal(commit) ? [] : readableIn(commit, dropped)));
  const state = emptyRun(run);
  const kept = readable.filter((one) => {
    const why = unlawful(state, one);
    if (why !== undefined) dropped.push({ name: one.name, why, type: one.entry.type });
    return why === undefined;
  });
  dropped.push(...commits.filter(isSeal).flatMap(sealedBy));
  const suspicious = kept
    .filter(({ entry }) => hashEntry(entry) !== entry.hash)
    .map(({ name, entry }) => ({ name, why: 'its hash is not that of its content', type: entry.type }));
  const lost = withoutRequest(readable, kept).map(
    (effectId) => `the request of effect ${effectId} is lost: its process asks for it again`,
  );
  const names = kept.map(({ name }) => name);
  return { entries: chainedAnew(kept), names, dropped, suspicious, warnings: [...missing(readable), ...lost] };
}

/** With it the owner of a run ended it, because its journal turned out to be damaged. */
export function isSeal({ entries }: StoredCommit): boolean {
  const last = entries?.at(-1);
  return last?.type === 'RUN_FAILED' && last.data.error.code === ('journal_corrupt' satisfies ErrorCode);
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
  const there = new Set(readable.map(({ entry }) => entry.version));
  const end = Math.max(0, ...there);
  const ranges: [number, number][] = [];
  for (let version = 1; version <= end; version += 1) {
    if (there.has(version)) continue;
    const last = ranges.at(-1);
    if (last?.[1] === version - 1) last[1] = version;
    else ranges.push([version, version]);
  }
  return ranges.map(([from, to]) => (from === to ? `entry ${from} is gone` : `the entries ${from} to ${to} are gone`));
}

function chainedAnew(kept: readonly Dated[]): Entry[] {
  let head = EMPTY_HEAD;
  return kept.map(({ draft, recordedAt }) => {
    const [entry] = sealEntries(head, [draft], recordedAt) as [Entry];
    head = { version: entry.version, hash: entry.hash };
    return entry;
  });
}
