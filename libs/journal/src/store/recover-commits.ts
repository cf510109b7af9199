import { problemsOfEntry, type RunAddress } from '@reins/contracts';
import { type Entry, type EntryDraft, hashEntry } from '../entries/entry.ts';
import { emptyRun } from '../state/run-state.ts';
import { type DatedDraft, effectsWithoutRequest, tryApplyDraft } from '../verify/apply-draft.ts';
import type { Steps } from '../verify/steps.ts';
import type { StoredCommit } from './stored-commit.ts';

/** A part of a journal and its problem. */
export interface EntryIssue {
  /** `sequence 12` for a message that cannot be read, `entry 7` for an entry. */
  readonly name: string;
  readonly why: string;
  /** Set for an entry that can be read. */
  readonly type?: string;
}

/** What a repair keeps of a corrupted journal. */
export interface RecoveredJournal {
  /** Numbered and chained again: a valid journal, or empty. */
  readonly entries: readonly Entry[];
  /** The name of each entry in the corrupted journal. */
  readonly names: readonly string[];
  readonly dropped: readonly EntryIssue[];
  /** Entries that were altered, but are valid at their place. */
  readonly suspicious: readonly EntryIssue[];
  /** What the run loses, as sentences. */
  readonly warnings: readonly string[];
}

/**
 * Keeps the entries of a corrupted journal in a stream that are valid at their place, by the same rules as for run
 * directories. There are no other files to restore lost entries from. Drops the end that its owner recorded because of
 * the corruption, so that a repaired run continues. Pure; yields once per entry.
 */
export function* recoverySteps(run: RunAddress, commits: readonly StoredCommit[]): Steps<RecoveredJournal> {
  const dropped: EntryIssue[] = [];
  const readable: Readable[] = [];
  for (const commit of commits) {
    if (isCorruptionEnd(commit)) continue;
    for (const one of readableIn(commit, dropped)) {
      readable.push(one);
      yield;
    }
  }
  const state = emptyRun(run);
  const kept: Readable[] = [];
  const entries: Entry[] = [];
  const suspicious: EntryIssue[] = [];
  for (const one of readable) {
    const { name, entry } = one;
    const next = tryApplyDraft(state, one);
    if (typeof next === 'string') dropped.push({ name, why: next, type: entry.type });
    else {
      kept.push(one);
      entries.push(next);
      if (!isUnaltered(entry, next)) suspicious.push({ name, why: FORGED, type: entry.type });
    }
    yield;
  }
  dropped.push(...commits.filter(isCorruptionEnd).flatMap(corruptionEndIssues));
  const lost = effectsWithoutRequest(readable, kept).map(
    (effectId) => `the request of effect ${effectId} is lost: its process requests it again`,
  );
  const names = kept.map(({ name }) => name);
  return { entries, names, dropped, suspicious, warnings: [...missingVersions(readable), ...lost] };
}

const FORGED = 'its hash does not match its content';

/** @param resealed the entry with its new version and chain; an equal hash proves that nothing changed */
const isUnaltered = (entry: Entry, resealed: Entry): boolean =>
  resealed.hash === entry.hash || hashEntry(entry) === entry.hash;

/** Whether the owner ended the run with this commit because its journal is corrupted. */
export function isCorruptionEnd({ entries }: StoredCommit): boolean {
  const data = entries?.at(-1)?.data;
  return data !== undefined && 'sealed' in data;
}

const corruptionEndIssues = ({ entries = [] }: StoredCommit): EntryIssue[] =>
  entries.map(({ type, version }) => ({
    name: `entry ${version}`,
    why: 'the owner ended the run with this entry because the journal is corrupted',
    type,
  }));

interface Readable extends DatedDraft {
  readonly name: string;
  readonly entry: Entry;
}

function readableIn(commit: StoredCommit, dropped: EntryIssue[]): Readable[] {
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

/** The ranges of versions that cannot be read. */
function missingVersions(readable: readonly Readable[]): string[] {
  const ranges: [number, number][] = [];
  let before = 0;
  for (const version of readable.map(({ entry }) => entry.version).sort((a, b) => a - b)) {
    if (version > before + 1) ranges.push([before + 1, version - 1]);
    before = Math.max(before, version);
  }
  return ranges.map(([from, to]) => (from === to ? `entry ${from} is lost` : `entries ${from} to ${to} are lost`));
}
