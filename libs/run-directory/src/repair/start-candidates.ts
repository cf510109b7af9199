import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defined, type EntryData, isObject, type JsonObject, type ProcessRef, type RunAddress } from '@reins/contracts';
import { BARE_RUN, type Entry, type EntryDraft } from '@reins/journal';
import { LegacyFiles } from '../legacy/legacy-files.ts';
import { LAYOUT_VERSION, type RunPaths } from '../store/layout.ts';
import { metadataOf } from '../views/views.ts';
import { type FileDraft, inlineAndReferenced, isValidDraft } from './file-drafts.ts';

/** The possible contents of a lost entry that started the process. */
export interface StartCandidates {
  /** All candidates, most likely first. */
  readonly drafts: readonly FileDraft[];
  /** A later start replaced `inputs.json`, so the inputs of this one were only in its entry. */
  readonly isOverwritten: boolean;
}

/**
 * Reconstructs a start of the process. `run.json` and `inputs.json` describe the last start; the other entries show the
 * rest.
 * @param entries the entries that can be read
 */
export function startCandidates(
  version: number,
  entries: readonly Entry[],
  paths: RunPaths,
  run: RunAddress,
): StartCandidates {
  const runFile = metadataOf(paths);
  const after = entries.filter((entry) => entry.version > version);
  const isOverwritten = after.some((entry) => isStart(entry) && entry.data.inputs !== undefined);
  const neighbours = { before: processBefore(version, entries), process: processAt(after, runFile) };
  const inputs = inputCandidates(paths, entries, isOverwritten);
  const drafts =
    version === 1 ? createdCandidates(runFile, neighbours, inputs, run) : assignedCandidates(neighbours, inputs);
  return { drafts: drafts.flatMap(inlineAndReferenced).filter(isValidDraft), isOverwritten };
}

/** Whether a process starts with this entry. */
export const isStart = (entry: Entry): entry is Entry<'RUN_CREATED' | 'PROCESS_ASSIGNED'> =>
  entry.type === 'RUN_CREATED' || entry.type === 'PROCESS_ASSIGNED';

interface Neighbours {
  readonly before: ProcessRef | undefined;
  readonly process: ProcessRef | undefined;
}

/** The process of the run before an entry. */
export function processBefore(version: number, entries: readonly Entry[]): ProcessRef | undefined {
  let process: ProcessRef | undefined;
  for (const entry of entries) {
    if (entry.version >= version) break;
    if (isStart(entry)) process = entry.data.process;
    else if (entry.type === 'PROCESS_CODE_CHANGED' && process) process = { ...process, codeHash: entry.data.to };
  }
  return process;
}

/** The process after an entry, by the entries that follow; otherwise by `run.json`, which describes the last start. */
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

/**
 * The possible inputs: those in `inputs.json`, unless a later start replaced them. A process that continues as new may
 * have the same inputs again.
 */
function inputCandidates(paths: RunPaths, entries: readonly Entry[], isOverwritten: boolean): Inputs[] {
  const inputs = new LegacyFiles(paths.root).json('inputs.json');
  const others = entries.filter(isStart).map(({ data }) => ({
    ...defined({ inputs: data.inputs }),
    ...(data.inputsRef && { inputsRef: data.inputsRef }),
  }));
  const shown: Inputs[] = inputs === undefined ? [{ inputs: null }] : [{ inputs }, {}, { inputs: null }];
  const readings = isOverwritten ? [{}, { inputs: null }, ...others] : [...shown, {}, ...others];
  return [...readings, ...largeInputs(paths)];
}

/** Large inputs are in blobs, which later starts do not replace. */
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

/** Fields of `run.json` that do not come from the metadata of the first entry. */
const RUN_FIELDS = [
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

function createdCandidates(
  runFile: JsonObject,
  { process }: Neighbours,
  inputs: readonly Inputs[],
  run: RunAddress,
): FileDraft[] {
  const { createdAt, sessionId, agentId, revision, layoutVersion, migratedFrom } = runFile;
  if (layoutVersion !== LAYOUT_VERSION || migratedFrom !== undefined || !process) return [];
  if (typeof createdAt !== 'string' || Number.isNaN(Date.parse(createdAt))) return [];
  const owner = { workspaceId: run.workspaceId, sessionId, agentId, revision, process };
  const data = { ...owner, session: {}, idempotencyKey: run.runId };
  const given = inputs.map((one) => ({ inputs: null, ...one }));
  return metadataCandidates(runFile, process.id).flatMap((metadata) =>
    given.map((one) => {
      const draft = { type: 'RUN_CREATED', data: { ...data, ...one, ...(metadata && { metadata }) } } as EntryDraft;
      return { draft, from: 'run.json', recordedAt: createdAt };
    }),
  );
}

/**
 * `run.json` always has a `processId`, even for a run without metadata, and the process may have been renamed since.
 */
function metadataCandidates(runFile: JsonObject, id: string): (JsonObject | undefined)[] {
  const metadata = Object.fromEntries(Object.entries(runFile).filter(([name]) => !RUN_FIELDS.includes(name)));
  const { processId, ...others } = metadata;
  const without = Object.keys(others).length === 0 ? undefined : others;
  const named = { ...others, processId: id };
  if (id === BARE_RUN) return [named, without, metadata];
  return processId === id && !without ? [undefined, metadata] : [metadata, without, named];
}

/** After continue-as-new, PROCESS_ASSIGNED has no `previous`; after an operator's assignment, it has one. */
function assignedCandidates({ before, process = before }: Neighbours, inputs: readonly Inputs[]): FileDraft[] {
  if (!process) return [];
  const previous = before ?? { id: BARE_RUN, codeHash: 'none' };
  const given = { process, previous };
  const forms = [{ process }, { ...given, force: false }, { ...given, force: true }];
  const isRestart = before?.id === process.id;
  return (isRestart ? forms : forms.toSorted(byPrevious)).flatMap((form) =>
    inputs.map((one): FileDraft => {
      const from = one.inputs === undefined ? 'run.json' : 'inputs.json';
      return { draft: { type: 'PROCESS_ASSIGNED', data: { ...form, ...one } }, from };
    }),
  );
}

const byPrevious = (a: object, b: object): number => Number('previous' in b) - Number('previous' in a);
