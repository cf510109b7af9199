import { hash as digest } from 'node:crypto';
import { canonicalJson, type EntryData, type EntryType } from '@reins/contracts';

/** What the control bus wants to record: an entry without its place in the journal. */
export type EntryDraft<T extends EntryType = EntryType> = {
  [K in T]: { readonly type: K; readonly data: EntryData[K] };
}[T];

/** One entry of a run's journal (docs/events.md, "journal"). */
export type Entry<T extends EntryType = EntryType> = {
  [K in T]: {
    /** Gapless from 1: the run's own order. */
    readonly version: number;
    readonly type: K;
    /** RFC 3339, UTC. */
    readonly recordedAt: string;
    readonly data: EntryData[K];
    /** Hash of the entry before; empty for the first. */
    readonly prev: string;
    /** SHA-256 (hex) of the canonical JSON (RFC 8785) of the entry without `hash`. */
    readonly hash: string;
  };
}[T];

/** The hash of arguments that nobody recorded: of effects from journals of another system. They cannot be verified on replay. */
export const UNVERIFIED_ARGS = '0'.repeat(64);

/** Where a journal ends. */
export interface Head {
  /** 0 for an empty journal. */
  readonly version: number;
  /** Empty for an empty journal. */
  readonly hash: string;
}

export const EMPTY_HEAD: Head = { version: 0, hash: '' };

/** Chains drafts onto a head: the entries of one commit. */
export function sealEntries(head: Head, drafts: readonly EntryDraft[], recordedAt: string): Entry[] {
  let { version, hash: prev } = head;
  return drafts.map(({ type, data }) => {
    version += 1;
    const draft = { version, type, recordedAt, data, prev } as Unhashed;
    const { hash, text } = writtenOut(draft);
    prev = hash;
    return new WrittenEntry(draft, { hash, mustBe: hash, text }) as Entry;
  });
}

/** An entry that was read, as one whose hash is known, and its canonical JSON, to hold what was read against. */
export function readEntry(entry: Entry): { readonly entry: Entry; readonly text: string } {
  const { hash: mustBe, text } = writtenOut(entry, entry.hash);
  return { entry: new WrittenEntry(entry, { hash: entry.hash, mustBe }) as Entry, text };
}

/** The hash that an entry must have. */
export function hashEntry(entry: Unhashed): string {
  return WrittenEntry.hashOf(entry) ?? writtenOut(entry).hash;
}

/** The canonical JSON of an entry. */
export function entryText(entry: Entry): string {
  return WrittenEntry.textOf(entry) ?? canonicalJson(entry);
}

type Unhashed = Omit<Entry, 'hash'>;

/** The hash that an entry must have, and its canonical JSON: with that hash, or with the one that it has. */
function writtenOut({ data, prev, recordedAt, type, version }: Unhashed, has?: string) {
  const before = `{"data":${canonicalJson(data)}`;
  const after = `,${JSON.stringify({ prev, recordedAt, type, version }).slice(1)}`;
  const hash = digest('sha256', before + after);
  return { hash, text: `${before},"hash":${JSON.stringify(has ?? hash)}${after}` };
}

/** An entry that was written out here: it keeps what came of that, and need not be written out again. */
class WrittenEntry {
  readonly version: number;
  readonly type: EntryType;
  readonly recordedAt: string;
  readonly data: EntryDraft['data'];
  readonly prev: string;
  readonly hash: string;
  readonly #mustBe: string;
  readonly #text: string | undefined;

  /** @param text of an entry that is to be stored; one that was read is not stored again */
  constructor(entry: Unhashed, { hash, mustBe, text }: { hash: string; mustBe: string; text?: string }) {
    this.version = entry.version;
    this.type = entry.type;
    this.recordedAt = entry.recordedAt;
    this.data = entry.data;
    this.prev = entry.prev;
    this.hash = hash;
    this.#mustBe = mustBe;
    this.#text = text;
  }

  static hashOf(entry: object): string | undefined {
    return #mustBe in entry ? entry.#mustBe : undefined;
  }

  static textOf(entry: object): string | undefined {
    return #text in entry ? entry.#text : undefined;
  }
}

/** SHA-256 (hex) over the canonical JSON (RFC 8785) of a value; no value counts as `null`. */
export function hashJson(value: unknown): string {
  return digest('sha256', canonicalJson(value ?? null));
}

/** The id of the n-th thing (from 0) that follows from an entry. */
export function emissionId(entry: Pick<Entry, 'hash'>, index: number): string {
  return `${entry.hash}.${index}`;
}
