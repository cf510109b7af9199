import type { Blobs } from '@reins/bus';
import { type BlobRef, isObject, isReinsError, type Problem, type RunAddress } from '@reins/contracts';
import { EMPTY_HEAD, type Entry, type Head } from '../entries/entry.ts';
import type { BusJournals } from './bus-journals.ts';

/** The result of verifying a journal. */
export interface JournalVerdict {
  /**
   * All problems found; empty when the journal is valid. For entries only the first invalid one is named, because
   * nothing after it can be trusted.
   */
  readonly problems: readonly Problem[];
  readonly entries: number;
  readonly head: Head;
  /** The entries are in the archive. */
  readonly isArchived: boolean;
  /** The number of distinct blobs that the entries reference. All of them were read. */
  readonly blobs: number;
}

/** How many blobs are read concurrently. */
const CONCURRENCY = 8;

/**
 * Verifies the journal of a run on the bus: form, hash chain and causality of its entries, in the stream or in the
 * archive. Also checks that every referenced blob exists and matches its hash.
 * @returns a valid result without entries for a run that was never written
 * @throws ReinsError `bus_unavailable`
 */
export async function verifyBusJournal(journals: BusJournals, run: RunAddress): Promise<JournalVerdict> {
  try {
    const { entries, head } = await journals.load(run);
    const named = referencedContents(entries);
    const problems = await contentProblems(journals, [...named.values()]);
    const isArchived = entries.at(-1)?.type === 'RUN_ARCHIVED';
    return { problems, entries: entries.length, head, isArchived, blobs: named.size };
  } catch (error) {
    if (!isReinsError(error) || !JOURNAL_ERRORS.has(error.code)) throw error;
    return { problems: error.problems, entries: 0, head: EMPTY_HEAD, isArchived: false, blobs: 0 };
  }
}

/** Error codes that are about the journal, not about the connection to it. */
const JOURNAL_ERRORS: ReadonlySet<string> = new Set(['journal_corrupt', 'blob_not_found', 'blob_corrupt']);

interface ReferencedContent {
  readonly ref: BlobRef;
  /** The version of the first entry that references it. */
  readonly version: number;
}

/** The blobs that these entries reference, by hash. Leaves out the archive pack, which was read already. */
function referencedContents(entries: readonly Entry[]): ReadonlyMap<string, ReferencedContent> {
  const named = new Map<string, ReferencedContent>();
  for (const { type, version, data } of entries) {
    if (type === 'RUN_ARCHIVED') continue;
    for (const ref of refsIn(data)) if (!named.has(ref.sha256)) named.set(ref.sha256, { ref, version });
  }
  return named;
}

/** Finds references anywhere in a value, by their shape. */
function* refsIn(value: unknown): Generator<BlobRef> {
  if (Array.isArray(value)) for (const item of value) yield* refsIn(item);
  else if (isObject(value)) {
    const { sha256, size } = value;
    if (typeof sha256 === 'string' && typeof size === 'number' && Object.keys(value).length === 2)
      yield { sha256, size };
    else for (const member of Object.values(value)) yield* refsIn(member);
  }
}

async function contentProblems({ blobs }: BusJournals, named: readonly ReferencedContent[]): Promise<Problem[]> {
  const problems: Problem[] = [];
  const queue = [...named];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const problem = await contentProblem(blobs, next);
      if (problem) problems.push(problem);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return problems;
}

/** Reads the whole blob: its stream fails at the end unless the hash matches. */
async function contentProblem(blobs: Blobs, { ref, version }: ReferencedContent): Promise<Problem | undefined> {
  try {
    for await (const _ of blobs.stream(ref));
    return undefined;
  } catch (error) {
    if (!isReinsError(error) || !JOURNAL_ERRORS.has(error.code)) throw error;
    const { code, message } = error;
    return { code, message: `entry ${version} names ${ref.sha256}: ${message}`, path: `entries[${version}]` };
  }
}
