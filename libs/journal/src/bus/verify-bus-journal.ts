import type { Blobs } from '@reins/bus';
import { type BlobRef, isObject, isReinsError, type Problem, type RunAddress } from '@reins/contracts';
import { EMPTY_HEAD, type Entry, type Head } from '../entries/entry.ts';
import type { BusJournals } from './bus-journals.ts';

/** What became of the verification of a journal. */
export interface JournalVerdict {
  /** Everything that is wrong; empty = whole. Of the entries themselves only the first wrong one is named: nothing behind it can be trusted. */
  readonly problems: readonly Problem[];
  readonly entries: number;
  readonly head: Head;
  /** Its entries are in the archive. */
  readonly isArchived: boolean;
  /** Different contents that its entries name, all of them read. */
  readonly blobs: number;
}

/** Contents read at the same time. */
const AT_ONCE = 8;

/**
 * Verifies the journal of a run on the bus: form, hash chain and causality of its entries, the archive where they are there, and that each
 * content that an entry names is there and has its hash.
 * @throws ReinsError `bus_unavailable`; a run that nobody wrote to is whole, and has no entries
 */
export async function verifyBusJournal(journals: BusJournals, run: RunAddress): Promise<JournalVerdict> {
  try {
    const { entries, head } = await journals.load(run);
    const named = contentsNamedBy(entries);
    const problems = await wrongContents(journals, [...named.values()]);
    const isArchived = entries.at(-1)?.type === 'RUN_ARCHIVED';
    return { problems, entries: entries.length, head, isArchived, blobs: named.size };
  } catch (error) {
    if (!isReinsError(error) || !TELLS.has(error.code)) throw error;
    return { problems: error.problems, entries: 0, head: EMPTY_HEAD, isArchived: false, blobs: 0 };
  }
}

/** Errors that say something about the journal, and not about the way to it. */
const TELLS: ReadonlySet<string> = new Set(['journal_corrupt', 'blob_not_found', 'blob_corrupt']);

interface NamedContent {
  readonly ref: BlobRef;
  /** The first entry that names it. */
  readonly version: number;
}

/** The contents that these entries name, by their hash. The pack of the archive is none: it was read already. */
export function contentsNamedBy(entries: readonly Entry[]): ReadonlyMap<string, NamedContent> {
  const named = new Map<string, NamedContent>();
  for (const { type, version, data } of entries) {
    if (type === 'RUN_ARCHIVED') continue;
    for (const ref of refsIn(data)) if (!named.has(ref.sha256)) named.set(ref.sha256, { ref, version });
  }
  return named;
}

/** What a reference looks like, wherever it stands. */
function* refsIn(value: unknown): Generator<BlobRef> {
  if (Array.isArray(value)) for (const item of value) yield* refsIn(item);
  else if (isObject(value)) {
    const { sha256, size } = value;
    if (typeof sha256 === 'string' && typeof size === 'number' && Object.keys(value).length === 2)
      yield { sha256, size };
    else for (const member of Object.values(value)) yield* refsIn(member);
  }
}

async function wrongContents({ blobs }: BusJournals, named: readonly NamedContent[]): Promise<Problem[]> {
  const problems: Problem[] = [];
  const queue = [...named];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const wrong = await wrongContent(blobs, next);
      if (wrong) problems.push(wrong);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return problems;
}

/** Reads all of it: a stream of a blob ends only where its hash is right. */
async function wrongContent(blobs: Blobs, { ref, version }: NamedContent): Promise<Problem | undefined> {
  try {
    for await (const _ of blobs.stream(ref));
    return undefined;
  } catch (error) {
    if (!isReinsError(error) || !TELLS.has(error.code)) throw error;
    const { code, message } = error;
    return { code, message: `entry ${version} names ${ref.sha256}: ${message}`, path: `entries[${version}]` };
  }
}
