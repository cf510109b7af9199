import { canonicalJson, isObject, type JsonObject, type RunAddress } from '@reins/contracts';
import type { Entry, EntryDraft } from '../entries/entry.ts';
import type { Dated } from '../verify/lawful.ts';
import { type BesideDraft, draftsBeside, effectIdsBeside, keyBeside, requestsBeside } from './beside-drafts.ts';
import { gapsIn } from './gaps.ts';
import { type EntryFile, memberOf } from './journal-files.ts';
import { numberOf, type RunPaths } from './layout.ts';
import { lostStarts } from './lost-starts.ts';
import { draftIn, entryIn, Proof } from './proof.ts';
import { processBefore, processIdOf, type StartBeside, startBeside } from './starts-beside.ts';
import { metadataOf } from './views.ts';

/** An entry that a file beside the journal has, in place of one that is torn, gone or changed. */
export interface Mended extends Dated {
  readonly from: string;
  /** It has the hash that is recorded for its place, so it is what stood there. */
  readonly isProven: boolean;
  readonly misses?: Missing;
}

/** What the run misses after a repair. */
export interface Missing {
  /** In plain words. */
  readonly why: string;
  /** What is lost for good, run-relative; absent of what may be right. */
  readonly path?: string;
}

/** What the files beside a journal of ours can say of its entries. */
export class Mending {
  readonly #files: readonly EntryFile[];
  readonly #texts: ReadonlyMap<number, string>;
  readonly #paths: RunPaths;
  readonly #run: RunAddress;
  readonly #proof: Proof;
  readonly #drafts: readonly BesideDraft[];
  /** The entries that can be read. */
  readonly #entries: readonly Entry[];
  readonly #proven = new Map<number, Mended | undefined>();
  #starts: ReadonlySet<number> | undefined;
  #known: readonly Entry[] | undefined;
  #numbers: readonly number[] | undefined;
  #left: readonly string[] | undefined;
  #isOne: boolean | undefined;

  constructor(files: readonly EntryFile[], paths: RunPaths, run: RunAddress) {
    this.#files = files;
    this.#texts = new Map(files.map(({ seq, text }) => [seq, text]));
    this.#paths = paths;
    this.#run = run;
    this.#proof = new Proof(files, paths);
    this.#drafts = draftsBeside(paths);
    this.#entries = files.flatMap((file) => entryIn(file) ?? []);
  }

  get #end(): number {
    return this.#files.at(-1)?.seq ?? 0;
  }

  /** The numbers that no file has, up to the one after the last; of a long row of them its ends, as nothing can be said of the others. */
  gaps(): readonly number[] {
    this.#numbers ??= gapsIn(this.#files, this.#end + 1).flatMap(({ first, last }) => (first === last ? [first] : []));
    return this.#numbers;
  }

  /** An entry whose file cannot be read, or is gone. */
  lost(version: number): Mended | undefined {
    const proven = this.#provenAt(version);
    if (proven || version > this.#end) return proven;
    return this.#likelyStart(version) ?? this.#likelyRequest(version);
  }

  #provenAt(version: number): Mended | undefined {
    if (!this.#proven.has(version)) this.#proven.set(version, this.#prove(version));
    return this.#proven.get(version);
  }

  #prove(version: number): Mended | undefined {
    if (!this.#proof.hasHash(version)) return undefined;
    const stood =
      this.#proof.stoodAt(version, this.#drafts) ?? this.#proof.stoodAt(version, this.#startsAt(version).drafts);
    return stood && { ...stood, isProven: true };
  }

  #startsAt(version: number, entries = this.#entries): StartBeside {
    return startBeside(version, entries, this.#paths, this.#run);
  }

  /**
   * What to take for an entry that can be read and is not what was written: what is proven; otherwise the answer that lies beside the journal,
   * which nobody has changed together with it. Undefined to leave it as it is.
   */
  changed(file: EntryFile): Mended | undefined {
    const entry = entryIn(file);
    if (!entry || this.#proof.stoodAt(file.seq, [draftIn(entry, file.name)])) return undefined;
    const proven = this.#provenAt(file.seq);
    if (proven) return proven;
    const other = this.#drafts.find(({ draft }) => isSameAnswer(draft, entry));
    if (!other || canonicalJson(other.draft.data) === canonicalJson(entry.data)) return undefined;
    return { ...other, recordedAt: entry.recordedAt, isProven: false };
  }

  /** A start that nothing proves, where what follows says that there was one: what is asked for is told apart by how many there were. */
  #likelyStart(version: number): Mended | undefined {
    this.#starts ??= this.#placesOfStarts();
    if (!this.#starts.has(version)) return undefined;
    const { drafts, isOverwritten } = this.#startsAt(version, this.#certain);
    const [found] = drafts;
    const [recordedAt] = this.#proof.times(version);
    if (!found || recordedAt === undefined) return undefined;
    const misses = isOverwritten ? overwritten(version) : unproven(version, found.from);
    return { ...found, recordedAt, isProven: false, misses };
  }

  #placesOfStarts(): ReadonlySet<number> {
    const known = this.#certain;
    const there = new Set(known.map(({ version }) => version));
    const all = [...this.gaps().filter((version) => version <= this.#end), ...this.#files.map(({ seq }) => seq)];
    const lost = all.filter((version) => version > 1 && !there.has(version));
    const places = lost.map((version) => ({ version, type: memberOf(this.#textAt(version), 'type') }));
    const left = this.#missing().flatMap((effectId) => keyBeside(this.#paths, effectId) ?? []);
    const { entrypoint } = metadataOf(this.#paths);
    const last = processBefore(this.#end + 1, known);
    const isOther = isObject(entrypoint) && last !== undefined && processIdOf(entrypoint as JsonObject) !== last.id;
    return lostStarts(places, known, { left, isOther });
  }

  /** What can be read, and what is proven. */
  get #certain(): readonly Entry[] {
    this.#known ??= this.#findCertain();
    return this.#known;
  }

  #findCertain(): readonly Entry[] {
    const there = new Set(this.#entries.map(({ version }) => version));
    const lost = [...this.#files.map(({ seq }) => seq), ...this.gaps()].filter((version) => !there.has(version));
    const proven = lost.flatMap((version): Entry[] => {
      const found = this.#provenAt(version);
      return found ? [{ ...found.draft, version, recordedAt: found.recordedAt } as Entry] : [];
    });
    return [...this.#entries, ...proven].toSorted((a, b) => a.version - b.version);
  }

  #textAt(version: number): string {
    return this.#texts.get(version) ?? '';
  }

  /** The torn file names its effect; or one effect is left over and one place. A task's file is written after its entry, so there was one. */
  #likelyRequest(version: number): Mended | undefined {
    const text = this.#textAt(version);
    const missing = this.#missing();
    const effectId = memberOf(text, 'effectId') ?? (this.#isOnlyPlace() ? this.#onlyOne(missing) : undefined);
    const type = memberOf(text, 'type') ?? 'EFFECT_REQUESTED';
    if (effectId === undefined || !missing.includes(effectId) || type !== 'EFFECT_REQUESTED') return undefined;
    const argsHash = memberOf(text, 'argsHash');
    const [found] = requestsBeside(this.#paths, effectId).filter(
      ({ draft }) => draft.type === 'EFFECT_REQUESTED' && (argsHash ?? draft.data.argsHash) === draft.data.argsHash,
    );
    const [recordedAt] = this.#proof.times(version);
    return found && recordedAt !== undefined ? { ...found, recordedAt, isProven: false } : undefined;
  }

  /** The effect that the one lost place is about: the one that is left over, unless others, such as steps, lost their request as well. */
  #onlyOne(missing: readonly string[]): string | undefined {
    const asked = new Set(
      this.#entries.flatMap(({ type, data }) => (type === 'EFFECT_REQUESTED' ? data.effectId : [])),
    );
    const about = this.#entries.flatMap(({ data }) => ('effectId' in data ? (data.effectId ?? []) : []));
    const others = about.filter((effectId) => !asked.has(effectId) && !missing.includes(effectId));
    return missing.length === 1 && others.length === 0 ? missing[0] : undefined;
  }

  /** The effects that have a folder and no request. */
  #missing(): readonly string[] {
    this.#left ??= this.#findMissing();
    return this.#left;
  }

  #findMissing(): string[] {
    const requested = new Set(
      this.#entries.flatMap(({ type, data }) => (type === 'EFFECT_REQUESTED' ? [data.effectId] : [])),
    );
    return effectIdsBeside(this.#paths).filter((effectId) => !requested.has(effectId));
  }

  /** Of those that nothing else is known to have stood at. */
  #isOnlyPlace(): boolean {
    this.#isOne ??= this.#countPlaces() === 1;
    return this.#isOne;
  }

  #countPlaces(): number {
    const known = new Set([...this.#certain.map(({ version }) => version), ...(this.#starts ?? [])]);
    const torn = this.#files.filter(({ seq }) => !known.has(seq)).length;
    return torn + this.gaps().filter((version) => version <= this.#end && !known.has(version)).length;
  }
}

const overwritten = (version: number): Missing => ({
  why: `what the process was given when it started in entry ${version} is lost: inputs.json is of a later start; the run goes on from that, but nothing before it can be replayed`,
  path: `journal/${numberOf(version)}`,
});

const unproven = (version: number, from: string): Missing => ({
  why: `the start of the process in entry ${version} is made from ${from}, and nothing is left that proves it`,
});

/** The result of the same attempt, or the end of the same kind. */
function isSameAnswer(draft: EntryDraft, entry: Entry): boolean {
  if (draft.type === 'RUN_COMPLETED') return entry.type === 'RUN_COMPLETED';
  if (draft.type !== 'EFFECT_RESOLVED' || entry.type !== 'EFFECT_RESOLVED') return false;
  return draft.data.effectId === entry.data.effectId && draft.data.attempt === entry.data.attempt;
}
