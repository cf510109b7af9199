import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BlobRef, canonicalJson, isObject, type JsonObject, type JsonValue, type Problem } from '@reins/contracts';
import {
  type EffectState,
  type Entry,
  effectiveEntries,
  effectKind,
  hashJson,
  type RunState,
  refOf,
  UNVERIFIED_ARGS,
} from '@reins/journal';
import { LegacyFiles } from '../legacy/legacy-files.ts';
import { processIdOf } from '../repair/start-candidates.ts';
import { firstUlid } from '../store/chained-ulid.ts';
import { notAFile, readIfExists } from '../store/files.ts';
import type { RunPaths } from '../store/layout.ts';
import { withSmallInputs } from '../values/large-inputs.ts';
import { RunBlobs } from '../values/run-blobs.ts';
import { hasStrayInputs, isConverted, journalFieldsOf, metadataOf, ownerView, requestView } from './views.ts';

/** Checks that referenced values exist and match their hashes. Values of invalidated effects are not needed. */
export function blobProblems(paths: RunPaths, entries: readonly Entry[]): Problem[] {
  const blobs = new RunBlobs(paths);
  return effectiveEntries(entries).flatMap((entry) => {
    const { version, type } = entry;
    const ref = refOf(entry);
    const wrong = ref && blobs.problemOf(ref);
    const hint = type === 'EFFECT_RESOLVED' ? RESULT_HINT : VIEW_HINT;
    return wrong ? [{ ...wrong, message: `entry ${version} (${type}): ${wrong.message}`, hint }] : [];
  });
}

const RESULT_HINT =
  'Restore it from a copy: no other file has this value. Or request the effect again with task:invalidate.';

const VIEW_HINT = 'Restore it with run:repair-journal if task.json, inputs.json or state/output.json still has it.';

/** The file name of the first entry confirms the run id. @param first its ULID */
export function runIdProblems(paths: RunPaths, first: string): Problem[] {
  const { runId } = metadataOf(paths);
  if (typeof runId !== 'string' || firstUlid(runId) === first) return [];
  const message = `run.json: it belongs to run ${runId}, but the journal belongs to another run`;
  return [{ code: 'journal_corrupt', message, path: 'run.json', hint: 'Restore its runId with run:repair-journal.' }];
}

/** Checks that the derived files match the journal. @param state folded from the entries */
export function viewProblems(paths: RunPaths, state: RunState, entries: readonly Entry[]): Problem[] {
  const { end } = state;
  const requests = new Map(
    entries.flatMap((entry) => (entry.type === 'EFFECT_REQUESTED' ? [[entry.data.effectId, entry]] : [])),
  );
  const named: readonly (readonly [string, string | undefined])[] = [
    ['run.json', runFileProblem(paths, state, entries)],
    ['inputs.json', inputsProblem(paths, state)],
    [
      'state/output.json',
      end?.status === 'completed' ? valueProblem(paths.outputFile, end.output, end.outputRef) : undefined,
    ],
    ...[...state.effects.values()].flatMap((effect) => [
      taskProblem(paths, effect, requests.get(effect.effectId)),
      resultProblem(paths, effect),
    ]),
  ];
  return named.flatMap(([path, wrong]) => (wrong === undefined ? [] : [viewProblem(path, wrong)]));
}

/** Checks the files that a babysitter journal needs. They cannot be rebuilt. */
export function legacyFileProblems(paths: RunPaths, { effects, end }: RunState): Problem[] {
  const tasks = [...effects.values()].flatMap((effect) => {
    const [path, wrong] = taskProblem(paths, effect);
    return wrong === undefined ? [] : [irreplaceable(path, wrong, 'the task')];
  });
  if (end?.status !== 'completed' || jsonAt(paths.outputFile) !== undefined) return tasks;
  const wrong = wrongFile(paths.outputFile);
  return [...tasks, irreplaceable('state/output.json', wrong, 'the output of the run')];
}

const irreplaceable = (path: string, wrong: string, what: string): Problem => ({
  code: 'journal_corrupt',
  message: `${path}: ${wrong}`,
  path,
  hint: `Restore it from a copy: no other file has ${what}.`,
});

function runFileProblem(paths: RunPaths, state: RunState, entries: readonly Entry[]): string | undefined {
  if (readIfExists(paths.run) === undefined) return MISSING;
  const content = metadataOf(paths);
  const claimed = journalFieldsOf(state).find(
    (name) => content[name] !== undefined && state.metadata?.[name] === undefined,
  );
  if (claimed !== undefined) return `its ${claimed} is not in the journal, and is ignored`;
  if (content.migratedFrom !== undefined && isConverted(state)) return convertedRunFileProblem(content, state);
  const { entrypoint, processCodeHash } = content;
  if (!isObject(entrypoint)) return 'it has no process';
  const id = processIdOf(entrypoint as JsonObject);
  if (id !== state.process.id) return `its process is ${id}, but the journal has ${state.process.id}`;
  if (!codeHashes(entries).has(processCodeHash)) return 'its processCodeHash is not in the journal';
  // The file name of the first entry identifies the run, and the process has a display name that can be changed.
  const { runId: _, processCodeHash: __, ...owner } = ownerView(state);
  const { processId: ___, ...metadata } = state.metadata ?? {};
  const wrong = Object.entries({ ...metadata, ...owner }).find(
    ([name, value]) => canonicalJson(content[name] ?? null) !== canonicalJson(value ?? null),
  );
  return wrong && `its ${wrong[0]} differs from the journal`;
}

/**
 * Compares the `run.json` of a converted run. Babysitter wrote it, and the process may have been moved since, so only
 * what has not changed since can be compared.
 */
function convertedRunFileProblem(content: JsonObject, state: RunState): string | undefined {
  const { entrypoint: _, processPath: __, createdAt: ___, processCodeHash: ____, ...owner } = ownerView(state);
  const { runId: _____, ...known } = { ...state.metadata, ...owner };
  const wrong = Object.entries(known).find(
    ([name, value]) => content[name] !== undefined && canonicalJson(content[name]) !== canonicalJson(value ?? null),
  );
  return wrong && `its ${wrong[0]} differs from the journal`;
}

/** `run.json` is written when a process starts and when it is rebuilt, so it may have any of these. */
function codeHashes(entries: readonly Entry[]): ReadonlySet<JsonValue | undefined> {
  return new Set(
    entries.flatMap(({ type, data }) => {
      if (type === 'RUN_CREATED' || type === 'PROCESS_ASSIGNED') return [data.process.codeHash];
      return type === 'PROCESS_CODE_CHANGED' ? [data.to] : [];
    }),
  );
}

function inputsProblem(paths: RunPaths, state: RunState): string | undefined {
  const { inputs, inputsRef } = state;
  if (inputs === null && !inputsRef) return hasStrayInputs(paths, state) ? STRAY : undefined;
  return valueProblem(paths.inputs, inputs, inputsRef);
}

/** @param ref reference to the recorded value; its hash is enough to compare */
function valueProblem(path: string, recorded: JsonValue, ref: BlobRef | undefined): string | undefined {
  const value = jsonAt(path);
  if (value === undefined) return wrongFile(path);
  return hashJson(value) === (ref?.sha256 ?? hashJson(recorded)) ? undefined : OTHER;
}

/** A task file of babysitter also has the effect's id. Nothing else of it can be compared. */
function taskProblem(
  paths: RunPaths,
  { effectId, kind, argsHash }: EffectState,
  requests?: Entry<'EFFECT_REQUESTED'>,
): readonly [string, string | undefined] {
  const name = `tasks/${effectId}/task.json`;
  if (effectKind(kind).resolvedBy === 'owner') return [name, undefined];
  const path = join(paths.root, name);
  const content = jsonAt(path);
  if (content === undefined) return [name, wrongFile(path)];
  if (!isObject(content) || content.effectId !== effectId) return [name, OTHER];
  if (!requests || argsHash === UNVERIFIED_ARGS) return [name, undefined];
  const { request, requestRef } = requests.data;
  const whole = requestRef ? new RunBlobs(paths).readIfWhole(requestRef) : request;
  // a lost request is reported as a problem of the journal
  if (whole === undefined) return [name, undefined];
  const shown = withSmallInputs(effectId, whole as JsonObject);
  if (canonicalJson(content) !== canonicalJson(requestView(requests.data, shown))) return [name, OTHER];
  if (shown === whole || new LegacyFiles(paths.root).json(shown.inputsRef) !== undefined) return [name, undefined];
  return [name, `its arguments ${String(shown.inputsRef)} are missing or were altered`];
}

/** Babysitter's result files have another form; only their status is compared. */
function resultProblem(
  paths: RunPaths,
  { effectId, kind, result, status }: EffectState,
): readonly [string, string | undefined] {
  const name = `tasks/${effectId}/result.json`;
  const path = join(paths.root, name);
  if (status !== 'resolved' && status !== 'cancelled' && existsSync(path)) return [name, NO_RESULT];
  if (effectKind(kind).resolvedBy === 'owner' || !result) return [name, undefined];
  const content = jsonAt(path);
  if (content === undefined) return [name, wrongFile(path)];
  if (!isObject(content) || content.status !== result.status)
    return [name, `its status is ${String(isObject(content) && content.status)}, but the journal has ${result.status}`];
  if (content.attempt === undefined || result.status !== 'ok') return [name, undefined];
  if (result.valueRef && canonicalJson(content.valueRef ?? null) !== canonicalJson(result.valueRef))
    return [name, OTHER];
  return [name, canonicalJson(content.value ?? null) === canonicalJson(result.value ?? null) ? undefined : OTHER];
}

function jsonAt(path: string): JsonValue | undefined {
  try {
    return JSON.parse(readIfExists(path) ?? '') as JsonValue;
  } catch {
    return undefined;
  }
}

/** Why a file has no JSON. */
const wrongFile = (path: string): string => notAFile(path) ?? (existsSync(path) ? 'it is not JSON' : MISSING);

const MISSING = 'it is missing';
const STRAY = 'the run has no inputs according to the journal';
const OTHER = 'it differs from the journal';
const NO_RESULT = 'the journal has no result of this effect';

export const viewProblem = (path: string, wrong: string): Problem => ({
  code: 'journal_corrupt',
  message: `${path}: ${wrong}`,
  path,
  hint: HINTS[wrong] ?? 'Rebuild it from the journal with run:rebuild-state.',
});

const HINTS: Readonly<Record<string, string | undefined>> = {
  [STRAY]: 'Remove it with run:rebuild-state.',
  [NO_RESULT]: 'Remove it with run:rebuild-state. To answer the effect, use task:post.',
};
