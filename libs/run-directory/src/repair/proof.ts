import { isObject } from '@reins/contracts';
import { type Entry, type EntryDraft, hashEntry } from '@reins/journal';
import { timeOf } from '../store/chained-ulid.ts';
import { changedEntry } from '../store/changed-entry.ts';
import { type EntryFile, isProblem, jsonOf, readableEntry } from '../store/journal-files.ts';
import type { RunPaths } from '../store/layout.ts';
import { type StoredHead, stateHead } from '../store/state-head.ts';
import type { FileDraft } from './file-drafts.ts';

/**
 * What a journal still shows about a torn, missing or altered entry. The entry itself, the next one or the state may
 * have its hash. The previous entry has the hash that it continues, and neighbours limit its time. A draft that results
 * in the recorded hash is the original.
 */
export class Proof {
  readonly #files: ReadonlyMap<number, EntryFile>;
  readonly #head: StoredHead | undefined;
  /** An entry that was changed together with its hash. */
  readonly #changed: number | undefined;
  readonly #intact = new Map<number, boolean>();

  constructor(files: readonly EntryFile[], paths: RunPaths) {
    this.#files = new Map(files.map((file) => [file.seq, file]));
    this.#head = stateHead(paths);
    this.#changed = changedEntry(files, this.#head);
  }

  /** Whether a hash is left that can prove an entry at this place. */
  hasHash(version: number): boolean {
    return this.#hashes(version).size > 0;
  }

  /** @returns the draft that was the original, and its time; undefined when none matches or no hash is left */
  findMatch<T extends FileDraft>(
    version: number,
    drafts: readonly T[],
  ): (T & { readonly recordedAt: string }) | undefined {
    const hashes = this.#hashes(version);
    if (hashes.size === 0) return undefined;
    const prevs = version === 1 ? new Set(['']) : this.#prevs(version);
    const times = this.times(version);
    for (const one of drafts) {
      for (const recordedAt of new Set([...(one.recordedAt === undefined ? [] : [one.recordedAt]), ...times]))
        for (const prev of prevs)
          if (hashes.has(hashEntry({ ...one.draft, version, recordedAt, prev } as Entry)))
            return { ...one, recordedAt };
    }
    return undefined;
  }

  /**
   * When the entry may have been recorded, likeliest first: its own remains, the name of the next file, its neighbours.
   */
  times(version: number): string[] {
    const next = this.#files.get(version + 1);
    const named = next ? [new Date(timeOf(next.ulid)).toISOString()] : [];
    const around = [version - 1, version + 1].flatMap((at) => this.#field(at, 'recordedAt') ?? []);
    const all = [...[this.#field(version, 'recordedAt') ?? []].flat(), ...named, ...around];
    return all.filter((time) => !Number.isNaN(Date.parse(time)));
  }

  /** An intact next entry proves its `prev`. The hash in the entry's own file counts only where there is none. */
  #hashes(version: number): Set<string> {
    if (version === this.#changed) return new Set(this.#head?.version === version ? [this.#head.hash] : []);
    const next = this.#field(version + 1, 'prev');
    if (next !== undefined && this.#isIntact(version + 1)) return new Set([next]);
    const own = this.#field(version, 'hash');
    const head = this.#head?.version === version ? this.#head.hash : undefined;
    return new Set([own, next, head].filter((hash): hash is string => hash !== undefined && hash !== ''));
  }

  #isIntact(version: number): boolean {
    const known = this.#intact.get(version);
    if (known !== undefined) return known;
    const file = this.#files.get(version);
    const entry = file && readableEntry(file);
    const isIntact = entry !== undefined && entry.version === version && hashEntry(entry) === entry.hash;
    this.#intact.set(version, isIntact);
    return isIntact;
  }

  #prevs(version: number): Set<string> {
    const own = this.#field(version, 'prev');
    return new Set([own, ...this.#hashes(version - 1)].filter((prev): prev is string => prev !== undefined));
  }

  /** A member of an entry's file, even if the file is cut off after it. */
  #field(version: number, name: 'hash' | 'prev' | 'recordedAt'): string | undefined {
    const { text } = this.#files.get(version) ?? { text: '' };
    return new RegExp(`^  "${name}": "([^"\\\\]*)"`, 'm').exec(text)?.[1];
  }
}

/** The content of a file that can be parsed, even if its place in the chain cannot be read. */
export function contentIn(file: EntryFile): FileDraft[] {
  const value = jsonOf(file);
  if (isProblem(value) || typeof value.type !== 'string' || !isObject(value.data)) return [];
  const { type, data, recordedAt } = value as { type: string; data: object; recordedAt?: unknown };
  const draft = { type, data } as EntryDraft;
  return [{ draft, from: `journal/${file.name}`, ...(typeof recordedAt === 'string' && { recordedAt }) }];
}

/** The entry as a draft, to compare with others. */
export function draftOf({ type, data, recordedAt }: Entry, from: string): FileDraft & { readonly recordedAt: string } {
  return { draft: { type, data } as EntryDraft, from, recordedAt };
}
