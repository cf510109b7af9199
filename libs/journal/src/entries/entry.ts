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
  return drafts.map((draft) => {
    version += 1;
    const entry = new SealedEntry(draft, { version, recordedAt, prev }) as Entry;
    prev = entry.hash;
    return entry;
  });
}

/** The hash that an entry must have. */
export function hashEntry(entry: Omit<Entry, 'hash'>): string {
  return digest('sha256', `{"data":${canonicalJson(entry.data)}${textAfterHash(entry)}`);
}

/** The canonical JSON of an entry. What was sealed here was written for its hash already. */
export function entryText(entry: Entry): string {
  return SealedEntry.textOf(entry) ?? canonicalJson(entry);
}

/** The members of an entry that come after its data and its hash, in canonical JSON. */
function textAfterHash({ prev, recordedAt, type, version }: Omit<Entry, 'data' | 'hash'>): string {
  return `,${JSON.stringify({ prev, recordedAt, type, version }).slice(1)}`;
}

/** An entry that was sealed here. It keeps its text, which was written for its hash. */
class SealedEntry {
  readonly version: number;
  readonly type: EntryType;
  readonly recordedAt: string;
  readonly data: EntryDraft['data'];
  readonly prev: string;
  readonly hash: string;
  readonly #text: string;

  constructor(
    { type, data }: EntryDraft,
    { version, recordedAt, prev }: Pick<Entry, 'version' | 'recordedAt' | 'prev'>,
  ) {
    this.version = version;
    this.type = type;
    this.recordedAt = recordedAt;
    this.data = data;
    this.prev = prev;
    const text = canonicalJson(data);
    const rest = textAfterHash({ prev, recordedAt, type, version });
    this.hash = digest('sha256', `{"data":${text}${rest}`);
    this.#text = `{"data":${text},"hash":"${this.hash}"${rest}`;
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
