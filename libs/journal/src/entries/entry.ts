import { hash as digest } from 'node:crypto';
import { canonicalJson, type EntryData, type EntryType } from '@reins/contracts';

/** An entry before it is sealed: without version, time and hashes. */
export type EntryDraft<T extends EntryType = EntryType> = {
  [K in T]: { readonly type: K; readonly data: EntryData[K] };
}[T];

/** One entry of a run's journal (docs/events.md, "journal"). */
export type Entry<T extends EntryType = EntryType> = {
  [K in T]: {
    /** Starts at 1, without gaps. */
    readonly version: number;
    readonly type: K;
    /** RFC 3339, UTC. */
    readonly recordedAt: string;
    readonly data: EntryData[K];
    /** Hash of the previous entry; empty for the first. */
    readonly prev: string;
    /** SHA-256 (hex) of the canonical JSON (RFC 8785) of the entry without `hash`. */
    readonly hash: string;
  };
}[T];

/**
 * The arguments hash of effects from journals of another system, which did not record one. A replay cannot verify these
 * arguments.
 */
export const UNVERIFIED_ARGS = '0'.repeat(64);

/** The end of a journal. */
export interface Head {
  /** 0 for an empty journal. */
  readonly version: number;
  /** Empty for an empty journal. */
  readonly hash: string;
}

export const EMPTY_HEAD: Head = { version: 0, hash: '' };

/** Seals drafts as the next entries after a head: numbers them and chains their hashes. They form one commit. */
export function sealEntries(head: Head, drafts: readonly EntryDraft[], recordedAt: string): Entry[] {
  let { version, hash: prev } = head;
  return drafts.map(({ type, data }) => {
    version += 1;
    const draft = { version, type, recordedAt, data, prev } as Unhashed;
    const { hash, text } = serialize(draft);
    prev = hash;
    return new SerializedEntry(draft, { hash, expectedHash: hash, text }) as Entry;
  });
}

/**
 * Returns a parsed entry that caches its expected hash, and its canonical JSON to compare with the bytes that were
 * read.
 */
export function readEntry(entry: Entry): { readonly entry: Entry; readonly text: string } {
  const { hash: expectedHash, text } = serialize(entry, entry.hash);
  return { entry: new SerializedEntry(entry, { hash: entry.hash, expectedHash }) as Entry, text };
}

/** Computes the hash that an entry must have. */
export function hashEntry(entry: Unhashed): string {
  return SerializedEntry.hashOf(entry) ?? serialize(entry).hash;
}

/** The canonical JSON of an entry. */
export function entryText(entry: Entry): string {
  return SerializedEntry.textOf(entry) ?? canonicalJson(entry);
}

type Unhashed = Omit<Entry, 'hash'>;

/** Computes the expected hash and the canonical JSON, with the expected hash or with the given one. */
function serialize({ data, prev, recordedAt, type, version }: Unhashed, knownHash?: string) {
  const before = `{"data":${canonicalJson(data)}`;
  const after = `,${JSON.stringify({ prev, recordedAt, type, version }).slice(1)}`;
  const hash = digest('sha256', before + after);
  return { hash, text: `${before},"hash":${JSON.stringify(knownHash ?? hash)}${after}` };
}

/** An entry that was serialized here. Caches the result, so that it need not be serialized again. */
class SerializedEntry {
  readonly version: number;
  readonly type: EntryType;
  readonly recordedAt: string;
  readonly data: EntryDraft['data'];
  readonly prev: string;
  readonly hash: string;
  readonly #expectedHash: string;
  readonly #text: string | undefined;

  /** @param text set for entries that will be stored; entries that were read are not stored again */
  constructor(entry: Unhashed, { hash, expectedHash, text }: { hash: string; expectedHash: string; text?: string }) {
    this.version = entry.version;
    this.type = entry.type;
    this.recordedAt = entry.recordedAt;
    this.data = entry.data;
    this.prev = entry.prev;
    this.hash = hash;
    this.#expectedHash = expectedHash;
    this.#text = text;
  }

  static hashOf(entry: object): string | undefined {
    return #expectedHash in entry ? entry.#expectedHash : undefined;
  }

  static textOf(entry: object): string | undefined {
    return #text in entry ? entry.#text : undefined;
  }
}

/** SHA-256 (hex) over the canonical JSON (RFC 8785) of a value; `undefined` counts as `null`. */
export function hashJson(value: unknown): string {
  return digest('sha256', canonicalJson(value ?? null));
}

/** The id of the n-th emission (from 0) that follows from an entry. */
export function emissionId(entry: Pick<Entry, 'hash'>, index: number): string {
  return `${entry.hash}.${index}`;
}

/** The id of an effect: the same in every replay, different in every run, and valid as a token in subjects and keys. */
export function effectIdOf(runId: string, key: string): string {
  return `ef_${digest('sha256', `${runId}\n${key}`).slice(0, 24)}`;
}

const ENDS: ReadonlySet<string> = new Set<EntryType>(['RUN_COMPLETED', 'RUN_FAILED', 'RUN_CANCELLED', 'RUN_HALTED']);

/** Whether an entry of this type ends a run. */
export const isEnd = (type: string): boolean => ENDS.has(type);

/**
 * Whether a journal whose last entry has this type belongs to an ended run: the entry is the run's end, or the stub of
 * an archived run.
 */
export const hasEnded = (type: string): boolean => isEnd(type) || type === ('RUN_ARCHIVED' satisfies EntryType);
