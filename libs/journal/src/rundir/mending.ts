import { canonicalJson, type RunAddress } from '@reins/contracts';
import type { Entry, EntryDraft } from '../entries/entry.ts';
import type { Dated } from '../verify/lawful.ts';
import { type BesideDraft, draftsBeside, effectIdsBeside, requestsBeside } from './beside-drafts.ts';
import type { EntryFile } from './journal-files.ts';
import type { RunPaths } from './layout.ts';
import { draftIn, entryIn, Proof } from './proof.ts';

/** An entry that a file beside the journal has, in place of one that is torn, gone or changed. */
export interface Mended extends Dated {
  readonly from: string;
  /** It has the hash that is recorded for its place, so it is what stood there. */
  readonly isProven: boolean;
}

/** What the files beside a journal of ours can say of its entries. */
export class Mending {
  readonly #files: readonly EntryFile[];
  readonly #paths: RunPaths;
  readonly #proof: Proof;
  readonly #drafts: readonly BesideDraft[];

  constructor(files: readonly EntryFile[], paths: RunPaths, run: RunAddress) {
    this.#files = files;
    this.#paths = paths;
    this.#proof = new Proof(files, paths);
    this.#drafts = draftsBeside(paths, run, firstCodeHash(files));
  }

  get #end(): number {
    return this.#files.at(-1)?.seq ?? 0;
  }

  /** The numbers that no file has, up to the end that the state knows. */
  gaps(): number[] {
    const there = new Set(this.#files.map(({ seq }) => seq));
    return Array.from({ length: this.#end + 1 }, (_, i) => i + 1).filter((version) => !there.has(version));
  }

  /** An entry whose file cannot be read, or is gone. */
  lost(version: number): Mended | undefined {
    const stood = this.#proof.stoodAt(version, this.#drafts);
    if (stood) return { ...stood, isProven: true };
    return version > this.#end ? undefined : this.#likelyRequest(version);
  }

  /**
   * What to take for an entry that can be read and is not what was written: what is proven; otherwise the answer that lies beside the journal,
   * which nobody has changed together with it. Undefined to leave it as it is.
   */
  changed(file: EntryFile): Mended | undefined {
    const entry = entryIn(file);
    if (!entry || this.#proof.stoodAt(file.seq, [draftIn(entry, file.name)])) return undefined;
    const stood = this.#proof.stoodAt(file.seq, this.#drafts);
    if (stood) return { ...stood, isProven: true };
    const other = this.#drafts.find(({ draft }) => isSameAnswer(draft, entry));
    if (!other || canonicalJson(other.draft.data) === canonicalJson(entry.data)) return undefined;
    return { ...other, recordedAt: entry.recordedAt, isProven: false };
  }

  /** The torn file names its effect; or one effect is left over and one place. A task's file is written after its entry, so there was one. */
  #likelyRequest(version: number): Mended | undefined {
    const { text } = this.#files.find(({ seq }) => seq === version) ?? { text: '' };
    const requested = this.#requested();
    const missing = effectIdsBeside(this.#paths).filter((effectId) => !requested.has(effectId));
    const effectId =
      memberOf(text, 'effectId') ?? (this.#isOnlyPlace() && missing.length === 1 ? missing[0] : undefined);
    const type = memberOf(text, 'type') ?? 'EFFECT_REQUESTED';
    if (effectId === undefined || !missing.includes(effectId) || type !== 'EFFECT_REQUESTED') return undefined;
    const argsHash = memberOf(text, 'argsHash');
    const [found] = requestsBeside(this.#paths, effectId).filter(
      ({ draft }) => draft.type === 'EFFECT_REQUESTED' && (argsHash ?? draft.data.argsHash) === draft.data.argsHash,
    );
    const [recordedAt] = this.#proof.times(version);
    return found && recordedAt !== undefined ? { ...found, recordedAt, isProven: false } : undefined;
  }

  #requested(): ReadonlySet<string> {
    const entries = this.#files.flatMap((file) => entryIn(file) ?? []);
    return new Set(entries.flatMap(({ type, data }) => (type === 'EFFECT_REQUESTED' ? [data.effectId] : [])));
  }

  #isOnlyPlace(): boolean {
    const torn = this.#files.filter((file) => !entryIn(file)).length;
    return torn + this.gaps().filter((version) => version <= this.#end).length === 1;
  }
}

/** What the process was when the run began, where its code was changed since. */
function firstCodeHash(files: readonly EntryFile[]): string | undefined {
  for (const file of files) {
    const entry = entryIn(file);
    if (entry?.type === 'PROCESS_ASSIGNED') return undefined;
    if (entry?.type === 'PROCESS_CODE_CHANGED') return entry.data.from;
  }
  return undefined;
}

/** The result of the same attempt, or the end of the same kind. */
function isSameAnswer(draft: EntryDraft, entry: Entry): boolean {
  if (draft.type === 'RUN_COMPLETED') return entry.type === 'RUN_COMPLETED';
  if (draft.type !== 'EFFECT_RESOLVED' || entry.type !== 'EFFECT_RESOLVED') return false;
  return draft.data.effectId === entry.data.effectId && draft.data.attempt === entry.data.attempt;
}

const memberOf = (text: string, name: string): string | undefined =>
  new RegExp(`^ {2,4}"${name}": "([^"\\\\]*)"`, 'm').exec(text)?.[1];
