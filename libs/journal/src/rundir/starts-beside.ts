import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type EntryData, isObject, type JsonObject, type ProcessRef, type RunAddress } from '@reins/contracts';
import { BARE_RUN } from '../entries/bare-run.ts';
import type { Entry, EntryDraft } from '../entries/entry.ts';
import { type BesideDraft, inBothForms, isLawful } from './beside-drafts.ts';
import { LAYOUT_VERSION, type RunPaths } from './layout.ts';
import { LegacyFiles } from './legacy/legacy-files.ts';
import { metadataOf } from './views.ts';

/** What can be said of a start of the process whose own entry is lost. */
export interface StartBeside {
  /** Every reading of it, the likeliest first. */
  readonly drafts: readonly BesideDraft[];
  /** A later start had inputs of its own: those of this one stood in its entry alone. */
  readonly isOverwritten: boolean;
}

/**
 * The first start of a process, or a later one, of a run that began bare or that went on as new: `run.json` and `inputs.json` are about the last one,
 * and the entries around it say the rest.
 * @param entries those that can be read
 */
export function startBeside(version: number, entries: readonly Entry[], paths: RunPaths, run: RunAddress): StartBeside {
  const said = metadataOf(paths);
  const after = entries.filter((entry) => entry.version > version);
  const isOverwritten = after.some((entry) => isStart(entry) && entry.data.inputs !== undefined);
  const around = { before: processBefore(version, entries), process: processAt(after, said) };
  const inputs = inputsReadings(paths, entries, isOverwritten);
  const drafts = version === 1 ? createdReadings(said, around, inputs, run) : assignedReadings(around, inputs);
  return { drafts: drafts.flatMap(inBothForms).filter(isLawful), isOverwritten };
}

/** An entry with which a process starts from its beginning. */
export const isStart = (entry: Entry): entry is Entry<'RUN_CREATED' | 'PROCESS_ASSIGNED'> =>
  entry.type === 'RUN_CREATED' || entry.type === 'PROCESS_ASSIGNED';

interface Around {
  readonly before: ProcessRef | undefined;
  readonly process: ProcessRef | undefined;
}

/** What the run's process was before an entry. */
export function processBefore(version: number, entries: readonly Entry[]): ProcessRef | undefined {
  let process: ProcessRef | undefined;
  for (const entry of entries) {
    if (entry.version >= version) break;
    if (isStart(entry)) process = entry.data.process;
    else if (entry.type === 'PROCESS_CODE_CHANGED' && process) process = { ...process, codeHash: entry.data.to };
  }
  return process;
}

/** What it was after an entry, by those that follow; else `run.json` says it, which is about the last start. */
function processAt(after: readonly Entry[], { entrypoint, processCodeHash }: JsonObject): ProcessRef | undefined {
  const again = after.find(isStart);
  const next = again?.type === 'PROCESS_ASSIGNED' ? (again.data.previous ?? again.data.process) : undefined;
  const id = next?.id ?? (isObject(entrypoint) ? processIdOf(entrypoint as JsonObject) : undefined);
  const until = again?.version ?? Number.POSITIVE_INFINITY;
  const changed = after.find(({ type, version }) => type === 'PROCESS_CODE_CHANGED' && version < until);
  const from = changed?.type === 'PROCESS_CODE_CHANGED' ? changed.data.from : undefined;
  const codeHash = from ?? next?.codeHash ?? processCodeHash;
  return id === undefined || typeof codeHash !== 'string' ? undefined : { id, codeHash };
}

/** `<path>#<export>` */
export const processIdOf = ({ importPath, exportName }: JsonObject): string =>
  typeof exportName === 'string' ? `${String(importPath)}#${exportName}` : String(importPath);

type Inputs = Pick<EntryData['PROCESS_ASSIGNED'], 'inputs' | 'inputsRef'>;

/** What the process may have been given: `inputs.json` has it, unless a later start was given others; one that goes on with the same has it again. */
function inputsReadings(paths: RunPaths, entries: readonly Entry[], isOverwritten: boolean): Inputs[] {
  const inputs = new LegacyFiles(paths.root).json('inputs.json');
  const others = entries.filter(isStart).map(({ data }) => ({
    ...(data.inputs !== undefined && { inputs: data.inputs }),
    ...(data.inputsRef && { inputsRef: data.inputsRef }),
  }));
  const shown: Inputs[] = inputs === undefined ? [{ inputs: null }] : [{ inputs }, {}, { inputs: null }];
  const readings = isOverwritten ? [{}, { inputs: null }, ...others] : [...shown, {}, ...others];
  return [...readings, ...largeInputs(paths)];
}

/** Large ones lie in a blob, whatever came after them. */
function largeInputs({ blobs }: RunPaths): Inputs[] {
  const names = namesIn(blobs).filter((name) => /^[0-9a-f]{64}\.json$/.test(name));
  return names.map((name) => ({
    inputs: null,
    inputsRef: {
      sha256: name.slice(0, 64),
      size: statSync(join(blobs, name)).size,
      mediaType: 'application/json',
    },
  }));
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).toSorted();
  } catch {
    return [];
  }
}

/** What `run.json` has from elsewhere than the first entry's metadata, or after it. */
const OF_THE_RUN = [
  'runId',
  'entrypoint',
  'processPath',
  'layoutVersion',
  'createdAt',
  'workspaceId',
  'sessionId',
  'agentId',
  'revision',
  'processCodeHash',
  'completionProof',
  'migratedFrom',
];

function createdReadings(
  said: JsonObject,
  { process }: Around,
  inputs: readonly Inputs[],
  run: RunAddress,
): BesideDraft[] {
  const { createdAt, sessionId, agentId, revision, layoutVersion, migratedFrom } = said;
  if (layoutVersion !== LAYOUT_VERSION || migratedFrom !== undefined || !process) return [];
  if (typeof createdAt !== 'string' || Number.isNaN(Date.parse(createdAt))) return [];
  const owner = { workspaceId: run.workspaceId, sessionId, agentId, revision, process };
  const data = { ...owner, session: {}, idempotencyKey: run.runId };
  const given = inputs.map((one) => ({ inputs: null, ...one }));
  return metadataReadings(said, process.id).flatMap((metadata) =>
    given.map((one) => {
      const draft = { type: 'RUN_CREATED', data: { ...data, ...one, ...(metadata && { metadata }) } } as EntryDraft;
      return { draft, from: 'run.json', recordedAt: createdAt };
    }),
  );
}

/** `processId` stands there in any case: of a run without metadata as well, and as the process is called, or is called since. */
function metadataReadings(said: JsonObject, id: string): (JsonObject | undefined)[] {
  const metadata = Object.fromEntries(Object.entries(said).filter(([name]) => !OF_THE_RUN.includes(name)));
  const { processId, ...others } = metadata;
  const without = Object.keys(others).length === 0 ? undefined : others;
  const named = { ...others, processId: id };
  if (id === BARE_RUN) return [named, without, metadata];
  return processId === id && !without ? [undefined, metadata] : [metadata, without, named];
}

/** A process that goes on as new names none before it; one that is given to a run does. */
function assignedReadings({ before, process = before }: Around, inputs: readonly Inputs[]): BesideDraft[] {
  if (!process) return [];
  const previous = before ?? { id: BARE_RUN, codeHash: 'none' };
  const given = { process, previous };
  const forms = [{ process }, { ...given, force: false }, { ...given, force: true }];
  const isAnew = before?.id === process.id;
  return (isAnew ? forms : forms.toSorted(byPrevious)).flatMap((form) =>
    inputs.map((one): BesideDraft => {
      const from = one.inputs === undefined ? 'run.json' : 'inputs.json';
      return { draft: { type: 'PROCESS_ASSIGNED', data: { ...form, ...one } }, from };
    }),
  );
}

const byPrevious = (a: object, b: object): number => Number('previous' in b) - Number('previous' in a);
