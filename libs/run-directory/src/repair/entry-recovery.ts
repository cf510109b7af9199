import { canonicalJson, isObject, type JsonObject, type RunAddress } from '@reins/contracts';
import type { DatedDraft, Entry, EntryDraft } from '@reins/journal';
import { type EntryFile, readableEntry, stringMember } from '../store/journal-files.ts';
import { numberOf, type RunPaths } from '../store/layout.ts';
import { metadataOf } from '../views/views.ts';
import {
  draftsFromFiles,
  effectIdsWithFolder,
  type FileDraft,
  isValidDraft,
  keyFromTask,
  requestsFromTask,
} from './file-drafts.ts';
import { gapsIn } from './gaps.ts';
import { missingRestarts } from './missing-restarts.ts';
import { contentIn, draftOf, Proof } from './proof.ts';
import { processBefore, processIdOf, type StartCandidates, startCandidates } from './start-candidates.ts';

/** An entry recovered from other files, in place of one whose file is torn, missing or altered. */
export interface RecoveredEntry extends DatedDraft {
  readonly from: string;
  /** The entry matches the hash that is recorded for its place, so it is the original. */
  readonly isProven: boolean;
  readonly missingData?: MissingData;
}

/** An entry whose file can be parsed. */
interface ReadableEntry extends DatedDraft {
  /** The hash chain proves the content. */
  readonly isProven: boolean;
  /** Set when another file has the content. */
  readonly recovered?: RecoveredEntry;
}

/** Data that the run loses in a repair. */
export interface MissingData {
  /** A sentence. */
  readonly why: string;
  /** Run-relative path of what is lost for good; absent when the recovered data may be right. */
  readonly path?: string;
}

/** Recovers entries of a journal from the other files of its run directory. */
export class EntryRecovery {
  readonly #files: readonly EntryFile[];
  readonly #byVersion: ReadonlyMap<number, EntryFile>;
  readonly #paths: RunPaths;
  readonly #run: RunAddress;
  readonly #proof: Proof;
  readonly #drafts: readonly FileDraft[];
  /** The entries that can be read. */
  readonly #entries: readonly Entry[];
  readonly #proven = new Map<number, RecoveredEntry | undefined>();
  #starts: ReadonlySet<number> | undefined;
  #certainEntries: readonly Entry[] | undefined;
  #gapNumbers: readonly number[] | undefined;
  #orphans: readonly string[] | undefined;
  #hasOnlyPlace: boolean | undefined;

  constructor(files: readonly EntryFile[], paths: RunPaths, run: RunAddress) {
    this.#files = files;
    this.#byVersion = new Map(files.map((file) => [file.seq, file]));
    this.#paths = paths;
    this.#run = run;
    this.#proof = new Proof(files, paths);
    this.#drafts = draftsFromFiles(paths);
    this.#entries = files.flatMap((file) => readableEntry(file) ?? []);
  }

  get #end(): number {
    return this.#files.at(-1)?.seq ?? 0;
  }

  /**
   * The missing entry numbers, up to the one after the last file. Of a long range only both ends, because the rest
   * cannot be recovered.
   */
  gaps(): readonly number[] {
    this.#gapNumbers ??= gapsIn(this.#files, this.#end + 1).flatMap(({ first, last }) =>
      first === last ? [first] : [],
    );
    return this.#gapNumbers;
  }

  /** Recovers an entry whose file is missing or cannot be read. */
  recoverLost(version: number): RecoveredEntry | undefined {
    const proven = this.#provenAt(version);
    if (proven || version > this.#end) return proven;
    return this.#likelyStart(version) ?? this.#likelyRequest(version);
  }

  #provenAt(version: number): RecoveredEntry | undefined {
    if (!this.#proven.has(version)) this.#proven.set(version, this.#prove(version));
    return this.#proven.get(version);
  }

  #prove(version: number): RecoveredEntry | undefined {
    if (!this.#proof.hasHash(version)) return undefined;
    const file = this.#byVersion.get(version);
    const original =
      (file && this.#proof.findMatch(version, contentIn(file).filter(isValidDraft))) ??
      this.#proof.findMatch(version, this.#drafts) ??
      this.#proof.findMatch(version, this.#startsAt(version).drafts);
    return original && { ...original, isProven: true };
  }

  #startsAt(version: number, entries = this.#entries): StartCandidates {
    return startCandidates(version, entries, this.#paths, this.#run);
  }

  /**
   * Reads an entry whose file can be parsed. The hash chain proves its content, or that of another file. Without proof,
   * the answer in the task's folder is likelier than a different one in the journal.
   */
  recoverReadable(file: EntryFile, entry: Entry): ReadableEntry {
    const own = this.#proof.findMatch(file.seq, [draftOf(entry, file.name)]);
    if (own) return { draft: own.draft, recordedAt: own.recordedAt, isProven: true };
    const proven = this.#provenAt(file.seq);
    if (proven) return { ...proven, recovered: proven };
    const { draft, recordedAt } = draftOf(entry, file.name);
    const other = this.#drafts.find((one) => isSameAnswer(one.draft, entry));
    if (!other || canonicalJson(other.draft.data) === canonicalJson(entry.data))
      return { draft, recordedAt, isProven: false };
    const recovered = { ...other, recordedAt, isProven: false };
    return { ...recovered, recovered };
  }

  /**
   * Recovers a start of the process without proof, where later entries show that there was one. Later keys contain the
   * number of starts, so the start is needed.
   */
  #likelyStart(version: number): RecoveredEntry | undefined {
    this.#starts ??= this.#placesOfStarts();
    if (!this.#starts.has(version)) return undefined;
    const { drafts, isOverwritten } = this.#startsAt(version, this.#certain);
    const [found] = drafts;
    const [recordedAt] = this.#proof.times(version);
    if (!found || recordedAt === undefined) return undefined;
    const missingData = isOverwritten ? overwritten(version) : unproven(version, found.from);
    return { ...found, recordedAt, isProven: false, missingData };
  }

  #placesOfStarts(): ReadonlySet<number> {
    const known = this.#certain;
    const versions = new Set(known.map(({ version }) => version));
    const all = [...this.gaps().filter((version) => version <= this.#end), ...this.#files.map(({ seq }) => seq)];
    const lost = all.filter((version) => version > 1 && !versions.has(version));
    const places = lost.map((version) => ({ version, type: stringMember(this.#textAt(version), 'type') }));
    const orphanKeys = this.#effectsWithoutRequest().flatMap((effectId) => keyFromTask(this.#paths, effectId) ?? []);
    const { entrypoint } = metadataOf(this.#paths);
    const last = processBefore(this.#end + 1, known);
    const hasUnrecordedProcess =
      isObject(entrypoint) && last !== undefined && processIdOf(entrypoint as JsonObject) !== last.id;
    return missingRestarts(places, known, { orphanKeys, hasUnrecordedProcess });
  }

  /** The entries that can be read, and the proven ones. */
  get #certain(): readonly Entry[] {
    this.#certainEntries ??= this.#findCertain();
    return this.#certainEntries;
  }

  #findCertain(): readonly Entry[] {
    const versions = new Set(this.#entries.map(({ version }) => version));
    const lost = [...this.#files.map(({ seq }) => seq), ...this.gaps()].filter((version) => !versions.has(version));
    const proven = lost.flatMap((version): Entry[] => {
      const found = this.#provenAt(version);
      return found ? [{ ...found.draft, version, recordedAt: found.recordedAt } as Entry] : [];
    });
    return [...this.#entries, ...proven].toSorted((a, b) => a.version - b.version);
  }

  #textAt(version: number): string {
    return this.#byVersion.get(version)?.text ?? '';
  }

  /**
   * The request that the torn file names, or the only missing request for the only lost place. A task's file is written
   * after its entry, so the entry existed.
   */
  #likelyRequest(version: number): RecoveredEntry | undefined {
    const text = this.#textAt(version);
    const effectsWithoutRequest = this.#effectsWithoutRequest();
    const effectId =
      stringMember(text, 'effectId') ?? (this.#isOnlyPlace() ? this.#onlyEffect(effectsWithoutRequest) : undefined);
    const type = stringMember(text, 'type') ?? 'EFFECT_REQUESTED';
    if (effectId === undefined || !effectsWithoutRequest.includes(effectId) || type !== 'EFFECT_REQUESTED')
      return undefined;
    const argsHash = stringMember(text, 'argsHash');
    const [found] = requestsFromTask(this.#paths, effectId).filter(
      ({ draft }) => draft.type === 'EFFECT_REQUESTED' && (argsHash ?? draft.data.argsHash) === draft.data.argsHash,
    );
    const [recordedAt] = this.#proof.times(version);
    return found && recordedAt !== undefined ? { ...found, recordedAt, isProven: false } : undefined;
  }

  /**
   * The effect of the only missing entry: the only one without a request, unless other effects, such as steps, lost their
   * request too.
   */
  #onlyEffect(effectsWithoutRequest: readonly string[]): string | undefined {
    const requested = new Set(
      this.#entries.flatMap(({ type, data }) => (type === 'EFFECT_REQUESTED' ? data.effectId : [])),
    );
    const about = this.#entries.flatMap(({ data }) => ('effectId' in data ? (data.effectId ?? []) : []));
    const others = about.filter((effectId) => !requested.has(effectId) && !effectsWithoutRequest.includes(effectId));
    return effectsWithoutRequest.length === 1 && others.length === 0 ? effectsWithoutRequest[0] : undefined;
  }

  /** The effects that have a folder but no request. */
  #effectsWithoutRequest(): readonly string[] {
    this.#orphans ??= this.#findEffectsWithoutRequest();
    return this.#orphans;
  }

  #findEffectsWithoutRequest(): string[] {
    const requested = new Set(
      this.#entries.flatMap(({ type, data }) => (type === 'EFFECT_REQUESTED' ? [data.effectId] : [])),
    );
    return effectIdsWithFolder(this.#paths).filter((effectId) => !requested.has(effectId));
  }

  /** Whether exactly one place is neither readable nor explained. */
  #isOnlyPlace(): boolean {
    this.#hasOnlyPlace ??= this.#countPlaces() === 1;
    return this.#hasOnlyPlace;
  }

  #countPlaces(): number {
    const known = new Set([...this.#certain.map(({ version }) => version), ...(this.#starts ?? [])]);
    const torn = this.#files.filter(({ seq }) => !known.has(seq)).length;
    return torn + this.gaps().filter((version) => version <= this.#end && !known.has(version)).length;
  }
}

const overwritten = (version: number): MissingData => ({
  why: `the inputs of the start in entry ${version} are lost because inputs.json belongs to a later start: the run continues from that start, but nothing before it can be replayed`,
  path: `journal/${numberOf(version)}`,
});

const unproven = (version: number, from: string): MissingData => ({
  why: `the start of the process in entry ${version} was recovered from ${from}, and no hash is left to prove it`,
});

/** The result of the same attempt, or an end of the same kind. */
function isSameAnswer(draft: EntryDraft, entry: Entry): boolean {
  if (draft.type === 'RUN_COMPLETED') return entry.type === 'RUN_COMPLETED';
  if (draft.type !== 'EFFECT_RESOLVED' || entry.type !== 'EFFECT_RESOLVED') return false;
  return draft.data.effectId === entry.data.effectId && draft.data.attempt === entry.data.attempt;
}
