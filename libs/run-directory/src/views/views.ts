import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defined, isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import { type Entry, effectKind, pendingEffects, type RunState, refOf, UNVERIFIED_ARGS } from '@reins/journal';
import { makeDirectories, notAFile, prettyJson, readIfExists, replaceFile } from '../store/files.ts';
import { LAYOUT_VERSION, type RunPaths } from '../store/layout.ts';
import { writeSmallInputs } from '../values/large-inputs.ts';
import { RunBlobs } from '../values/run-blobs.ts';

/** Creates the folders of a run directory. A file in place of the journal folder is left for a repair to keep. */
export async function writeSkeleton(paths: RunPaths): Promise<void> {
  const journal = existsSync(paths.journal) ? [] : [paths.journal];
  await makeDirectories([...journal, paths.tasks, paths.state, paths.blobs, paths.process, paths.orphaned]);
}

/**
 * Writes the files for users and tools. They are derived from the journal, written after it, and not synced, because
 * they can be rebuilt. A file whose value is lost from the blobs is not touched: it may be the only copy.
 */
export function writeViews(paths: RunPaths, state: RunState, entries: readonly Entry[]): void {
  for (const entry of entries) writeEntryView(paths, state, entry);
}

/** @param ulid of the last entry */
export function writeStateView(paths: RunPaths, state: RunState, ulid: string): void {
  replaceFile(paths.stateFile, prettyJson(stateView(state, ulid)), { durable: false });
}

function writeEntryView(paths: RunPaths, state: RunState, entry: Entry): void {
  if (entry.type === 'RUN_CREATED') writeRunView(paths, state, entry.data.metadata);
  else if (entry.type === 'PROCESS_ASSIGNED') writeRunView(paths, state);
  else if (entry.type === 'RUN_COMPLETED') {
    const output = wholeValue(paths, entry, entry.data.output);
    if (output !== undefined) replaceFile(paths.outputFile, prettyJson(output), { durable: false });
  } else if (isAboutTask(state, entry)) writeTaskFile(paths, entry);
}

/** The whole value of an entry, inline or from its blob; undefined when that is lost. */
function wholeValue<T extends JsonValue>(paths: RunPaths, entry: Entry, value: T): T | undefined {
  const ref = refOf(entry);
  return ref ? (new RunBlobs(paths).readIfWhole(ref) as T | undefined) : value;
}

type TaskEntry = Entry<'EFFECT_REQUESTED' | 'EFFECT_RESOLVED' | 'EFFECT_CANCELLED'>;

/** Local steps have no folder, because nothing outside works on them. */
function isAboutTask(state: RunState, entry: Entry): entry is TaskEntry {
  if (entry.type !== 'EFFECT_REQUESTED' && entry.type !== 'EFFECT_RESOLVED' && entry.type !== 'EFFECT_CANCELLED')
    return false;
  const effect = state.effects.get(entry.data.effectId);
  return !effect || effectKind(effect.kind).resolvedBy !== 'owner';
}

function writeTaskFile(paths: RunPaths, entry: TaskEntry): void {
  const directory = join(paths.tasks, entry.data.effectId);
  mkdirSync(directory, { recursive: true });
  const isRequest = entry.type === 'EFFECT_REQUESTED';
  const name = isRequest ? 'task.json' : 'result.json';
  // an effect that is requested again has no result any more
  if (isRequest) rmSync(join(directory, 'result.json'), { force: true });
  const view = taskView(paths, entry);
  if (view) replaceFile(join(directory, name), prettyJson(view), { durable: false });
}

function taskView(paths: RunPaths, entry: TaskEntry): Readonly<Record<string, unknown>> | undefined {
  const { type, data, recordedAt } = entry;
  switch (type) {
    case 'EFFECT_REQUESTED': {
      const request = wholeValue(paths, entry, data.request);
      return request && requestView(data, writeSmallInputs(paths, data.effectId, request));
    }
    case 'EFFECT_RESOLVED':
      return { ...data, finishedAt: recordedAt };
    case 'EFFECT_CANCELLED':
      return { ...data, status: 'cancelled', finishedAt: recordedAt };
  }
}

/** @param shown the request, with large arguments by reference */
export function requestView(
  { effectId, key, kind, label }: Entry<'EFFECT_REQUESTED'>['data'],
  shown: JsonObject,
): JsonObject {
  return { effectId, invocationKey: key, kind, ...defined({ label }), ...shown };
}

/** Writes `run.json`, keeping fields that are not in the journal, and `inputs.json` if the run has inputs. */
export function writeRunView(paths: RunPaths, state: RunState, created: JsonObject = {}): void {
  const { process } = state;
  const known = { ...withoutJournalFields(paths, state), ...journalFieldsIn(state) };
  const before = { processId: process.id, ...known, ...created };
  replaceFile(paths.run, prettyJson({ ...before, ...ownerView(state) }), { durable: true });
  if (hasStrayInputs(paths, state)) rmSync(paths.inputs);
  const inputs = inputsOf(paths, state);
  if (inputs !== null && inputs !== undefined) replaceFile(paths.inputs, prettyJson(inputs), { durable: false });
}

/** The fields that allow or forbid work. Those in the first entry apply. */
const PERMISSIONS = ['nonInteractive', 'governance'];

/** The fields of `run.json` that count only if the journal has them. */
export const journalFieldsOf = (state: RunState): readonly string[] =>
  isConverted(state) ? PERMISSIONS : [...PERMISSIONS, 'migratedFrom'];

/**
 * Whether the journal was converted from one of babysitter. Such a journal has no revision and no name of its process;
 * every other run in a directory has the name.
 */
export const isConverted = ({ revision, metadata }: Pick<RunState, 'revision' | 'metadata'>): boolean =>
  revision === UNVERIFIED_ARGS && metadata?.processId === undefined;

const journalFieldsIn = (state: RunState): JsonObject => {
  const { metadata = {} } = state;
  return Object.fromEntries(
    journalFieldsOf(state).flatMap((name) => (metadata[name] === undefined ? [] : [[name, metadata[name]]])),
  );
};

function withoutJournalFields(paths: RunPaths, state: RunState): JsonObject {
  const fields = journalFieldsOf(state);
  return Object.fromEntries(Object.entries(metadataOf(paths)).filter(([name]) => !fields.includes(name)));
}

/**
 * Whether `inputs.json` exists for a run without inputs. A file that contains `null`, as babysitter writes it, may
 * stay.
 */
export function hasStrayInputs({ inputs: path }: RunPaths, { inputs, inputsRef }: RunState): boolean {
  if (inputs !== null || inputsRef) return false;
  if (notAFile(path) !== undefined) return true;
  const text = readIfExists(path);
  return text !== undefined && text.trim() !== 'null';
}

/** Undefined when the inputs are lost. */
function inputsOf(paths: RunPaths, { inputs, inputsRef }: RunState): JsonValue | undefined {
  return inputsRef ? new RunBlobs(paths).readIfWhole(inputsRef) : inputs;
}

/** The fields of `run.json` that come from the folded state. */
export function ownerView({ run, process, createdAt, sessionId, agentId, revision }: RunState): JsonObject {
  const [importPath = process.id, exportName] = process.id.split('#');
  const entrypoint = { importPath, ...(exportName && { exportName }) };
  const identity = { runId: run.runId, entrypoint, processPath: importPath, layoutVersion: LAYOUT_VERSION, createdAt };
  return { ...identity, workspaceId: run.workspaceId, sessionId, agentId, revision, processCodeHash: process.codeHash };
}

/** The content of `run.json`; empty when it is missing or cannot be read. */
export function metadataOf(paths: RunPaths): JsonObject {
  try {
    const value: unknown = JSON.parse(readIfExists(paths.run) ?? '{}');
    return isObject(value) ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}

/** A summary of the folded state, so that status commands need not read the journal. */
export function stateView(state: RunState, ulid: string): Readonly<Record<string, unknown>> {
  const pendingEffectsByKind: Record<string, number> = {};
  for (const { kind } of pendingEffects(state)) pendingEffectsByKind[kind] = (pendingEffectsByKind[kind] ?? 0) + 1;
  const { version, hash } = state.head;
  return {
    schemaVersion: LAYOUT_VERSION,
    journalHead: { seq: version, ulid, hash },
    stateVersion: version,
    status: state.status,
    pendingEffectsByKind,
  };
}

/** Sets fields of `run.json` that are not in the journal, such as the display name of the process. */
export function updateRunMetadata(paths: RunPaths, fields: JsonObject): void {
  replaceFile(paths.run, prettyJson({ ...metadataOf(paths), ...fields }), { durable: true });
}
