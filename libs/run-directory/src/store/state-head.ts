import type { Problem } from '@reins/contracts';
import { readIfExists } from './files.ts';
import type { StoredEntry } from './journal-files.ts';
import { numberOf, type RunPaths } from './layout.ts';

/** The end of the journal in the stored state. */
export interface StoredHead {
  readonly version: number;
  readonly hash: string;
  readonly ulid: string;
}

/** The end of the journal when Reins wrote the stored state; undefined without such a state. */
export function stateHead(paths: RunPaths): StoredHead | undefined {
  try {
    const { journalHead } = JSON.parse(readIfExists(paths.stateFile) ?? '{}');
    const { seq: version, hash, ulid } = journalHead ?? {};
    const isHead = typeof version === 'number' && typeof hash === 'string' && typeof ulid === 'string';
    return isHead ? { version, hash, ulid } : undefined;
  } catch {
    return undefined;
  }
}

/** A commit whose end is missing was never acknowledged, unless the stored state has it. */
export function lostCommitEnd(
  paths: RunPaths,
  all: readonly StoredEntry[],
  stored: readonly StoredEntry[],
): Problem | undefined {
  const end = all.at(-1);
  if (!end || stored.length === all.length || (stateHead(paths)?.version ?? 0) < end.commit.first) return undefined;
  const from = end.entry.version + 1;
  const which = from === end.commit.last ? `entry ${from} is` : `entries ${from} to ${end.commit.last} are`;
  return {
    code: 'journal_corrupt',
    message: `${which} missing, but state/state.json shows that the commit was complete`,
    path: `journal/${numberOf(from)}`,
    hint: 'Preview a repair with run:repair-journal --dry-run.',
  };
}
