import { isObject } from '@reins/contracts';
import { type Entry, type EntryDraft, hashEntry } from '../entries/entry.ts';
import type { BesideDraft } from './beside-drafts.ts';
import { timeOf } from './chained-ulid.ts';
import { readIfThere } from './files.ts';
import { type EntryFile, isOwnEntry, isProblem, jsonOf } from './journal-files.ts';
import type { RunPaths } from './layout.ts';

/**
 * What a journal still says of an entry that is torn, gone or changed: the hash that it must have (itself, the entry after it, the state),
 * that of the entry before it, and when it may have been recorded. A draft that has this hash is what was written there.
 */
export class Proof {
  readonly #files: ReadonlyMap<number, EntryFile>;
  readonly #head: ReturnType<typeof stateHead>;

  constructor(files: readonly EntryFile[], paths: RunPaths) {
    this.#files = new Map(files.map((file) => [file.seq, file]));
    this.#head = stateHead(paths);
  }

  /** Something is left that could tell what stood there. */
  hasHash(version: number): boolean {
    return this.#hashes(version).size > 0;
  }

  /** @returns the one of the drafts that stood there, and its time; undefined when none did, or nothing is left that could tell */
  stoodAt<T extends BesideDraft>(
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

  /** When the entry may have been recorded, likeliest first: what is left of it, the name of the next one, those of its commit. */
  times(version: number): string[] {
    const next = this.#files.get(version + 1);
    const named = next ? [new Date(timeOf(next.ulid)).toISOString()] : [];
    const around = [version - 1, version + 1].flatMap((at) => this.#field(at, 'recordedAt') ?? []);
    const all = [...[this.#field(version, 'recordedAt') ?? []].flat(), ...named, ...around];
    return all.filter((time) => !Number.isNaN(Date.parse(time)));
  }

  #hashes(version: number): Set<string> {
    const own = this.#field(version, 'hash');
    const next = this.#field(version + 1, 'prev');
    const head = this.#head?.version === version ? this.#head.hash : undefined;
    return new Set([own, next, head].filter((hash): hash is string => hash !== undefined && hash !== ''));
  }

  #prevs(version: number): Set<string> {
    const own = this.#field(version, 'prev');
    return new Set([own, ...this.#hashes(version - 1)].filter((prev): prev is string => prev !== undefined));
  }

  /** Member of an entry's file, also of one that is cut off behind it. */
  #field(version: number, name: 'hash' | 'prev' | 'recordedAt'): string | undefined {
    const { text } = this.#files.get(version) ?? { text: '' };
    return new RegExp(`^  "${name}": "([^"\\\\]*)"`, 'm').exec(text)?.[1];
  }
}

/** Where the journal ended when the stored state was written; undefined where there is none of ours. */
export function stateHead(paths: RunPaths): { readonly version: number; readonly hash: string } | undefined {
  try {
    const { journalHead } = JSON.parse(readIfThere(paths.stateFile) ?? '{}');
    const { seq: version, hash } = journalHead ?? {};
    return typeof version === 'number' && typeof hash === 'string' ? { version, hash } : undefined;
  } catch {
    return undefined;
  }
}

/** The entry in a file of ours that can be read, whether it is what was written or not. */
export function entryIn(file: EntryFile): Entry | undefined {
  const value = jsonOf(file);
  return !isProblem(value) && isOwnEntry(value) && isObject(value.data) ? (value as unknown as Entry) : undefined;
}

/** The entry as a draft beside others. */
export function draftIn({ type, data, recordedAt }: Entry, from: string): BesideDraft {
  return { draft: { type, data } as EntryDraft, from, recordedAt };
}
