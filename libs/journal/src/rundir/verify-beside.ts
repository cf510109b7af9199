import { join } from 'node:path';
import { type BlobRef, canonicalJson, isObject, type JsonObject, type JsonValue, type Problem } from '@reins/contracts';
import { type Entry, hashJson, UNVERIFIED_ARGS } from '../entries/entry.ts';
import { refOf } from '../large/large-values.ts';
import type { EffectState, RunState } from '../state/run-state.ts';
import { standingEntries } from '../state/standing-entries.ts';
import { firstUlid } from './chained-ulid.ts';
import { readIfThere } from './files.ts';
import { withSmallInputs } from './large-inputs.ts';
import type { RunPaths } from './layout.ts';
import { LegacyFiles } from './legacy/legacy-files.ts';
import { RunBlobs } from './run-blobs.ts';
import { processIdOf } from './starts-beside.ts';
import { hasStrayInputs, metadataOf, ownerView, requestView } from './views.ts';

/**
 * Values that the journal has by reference are there, and what their names say. Of what was asked for again nobody needs what came before.
 */
export function blobProblems(paths: RunPaths, entries: readonly Entry[]): Problem[] {
  const blobs = new RunBlobs(paths);
  return standingEntries(entries).flatMap((entry) => {
    const { version, type } = entry;
    const ref = refOf(entry);
    const wrong = ref && blobs.problemOf(ref);
    const hint = type === 'EFFECT_RESOLVED' ? RESULT_HINT : VIEW_HINT;
    return wrong ? [{ ...wrong, message: `entry ${version} (${type}): ${wrong.message}`, hint }] : [];
  });
}

const RESULT_HINT =
  'only the file has this value: put it back from a copy, or let the effect be asked for again with task:invalidate';

const VIEW_HINT = 'run:repair-journal makes it again where task.json, inputs.json or state/output.json still has it';

/** Whose the journal is follows from the name of its first entry. @param first its ULID */
export function runIdProblems(paths: RunPaths, first: string): Problem[] {
  const { runId } = metadataOf(paths);
  if (typeof runId !== 'string' || firstUlid(runId) === first) return [];
  const message = `run.json: its run is ${runId}, and the journal is that of another one`;
  return [{ code: 'journal_corrupt', message, path: 'run.json' }];
}

/** What people and tools read beside the journal says what the journal says. @param state the fold of the entries */
export function viewProblems(paths: RunPaths, state: RunState, entries: readonly Entry[]): Problem[] {
  const { end } = state;
  const asked = new Map(
    entries.flatMap((entry) => (entry.type === 'EFFECT_REQUESTED' ? [[entry.data.effectId, entry]] : [])),
  );
  const named: readonly (readonly [string, string | undefined])[] = [
    ['run.json', wrongRunFile(paths, state, entries)],
    ['inputs.json', wrongInputs(paths, state)],
    [
      'state/output.json',
      end?.status === 'completed' ? wrongValue(paths.outputFile, end.output, end.outputRef) : undefined,
    ],
    ...[...state.effects.values()].flatMap((effect) => [
      wrongTask(paths, effect, asked.get(effect.effectId)),
      wrongResult(paths, effect),
    ]),
  ];
  return named.flatMap(([path, wrong]) => (wrong === undefined ? [] : [viewProblem(path, wrong)]));
}

/** Of a directory that babysitter wrote, and nobody has gone on with, what its journal needs is there; nobody can make it again. */
export function foreignProblems(paths: RunPaths, { effects, end }: RunState): Problem[] {
  const tasks = [...effects.values()].flatMap((effect) => {
    const [path, wrong] = wrongTask(paths, effect);
    return wrong === undefined ? [] : [onlyThere(path, wrong, 'the task')];
  });
  if (end?.status !== 'completed' || jsonAt(paths.outputFile) !== undefined) return tasks;
  const wrong = readIfThere(paths.outputFile) === undefined ? MISSING : 'it is no JSON';
  return [...tasks, onlyThere('state/output.json', wrong, 'what the run came to')];
}

const onlyThere = (path: string, wrong: string, what: string): Problem => ({
  code: 'journal_corrupt',
  message: `${path}: ${wrong}`,
  path,
  hint: `only the file has ${what}: put it back from a copy`,
});

/** Of a run that was babysitter's the file is what babysitter wrote, and others may have moved its process since. */
function wrongRunFile(paths: RunPaths, state: RunState, entries: readonly Entry[]): string | undefined {
  if (readIfThere(paths.run) === undefined) return MISSING;
  const said = metadataOf(paths);
  if (said.migratedFrom !== undefined) return undefined;
  const { entrypoint, processCodeHash } = said;
  if (!isObject(entrypoint)) return 'it names no process';
  const id = processIdOf(entrypoint as JsonObject);
  if (id !== state.process.id) return `its process is ${id}, and in the journal ${state.process.id}`;
  if (!codeHashes(entries).has(processCodeHash)) return 'its processCodeHash is none that the journal has';
  // Which run it is of follows from the first entry's name; a process has a name for people that can be changed.
  const { runId: _, processCodeHash: __, ...owner } = ownerView(state);
  const { processId: ___, ...metadata } = state.metadata ?? {};
  const wrong = Object.entries({ ...metadata, ...owner }).find(
    ([name, value]) => canonicalJson(said[name] ?? null) !== canonicalJson(value ?? null),
  );
  return wrong && `its ${wrong[0]} is not that of the journal`;
}

/** The file is written when a process starts, and when it is made again: it may have any of these. */
function codeHashes(entries: readonly Entry[]): ReadonlySet<JsonValue | undefined> {
  return new Set(
    entries.flatMap(({ type, data }) => {
      if (type === 'RUN_CREATED' || type === 'PROCESS_ASSIGNED') return [data.process.codeHash];
      return type === 'PROCESS_CODE_CHANGED' ? [data.to] : [];
    }),
  );
}

function wrongInputs(paths: RunPaths, state: RunState): string | undefined {
  const { inputs, inputsRef } = state;
  if (inputs === null && !inputsRef) return hasStrayInputs(paths, state) ? STRAY : undefined;
  return wrongValue(paths.inputs, inputs, inputsRef);
}

/** @param ref in place of the recorded value: its hash tells without reading it */
function wrongValue(path: string, recorded: JsonValue, ref: BlobRef | undefined): string | undefined {
  const value = jsonAt(path);
  if (value === undefined) return readIfThere(path) === undefined ? MISSING : 'it is no JSON';
  return hashJson(value) === (ref?.sha256 ?? hashJson(recorded)) ? undefined : OTHER;
}

/** What babysitter wrote there has the effect's id, too; of its requests nothing else can be compared. */
function wrongTask(
  paths: RunPaths,
  { effectId, kind, argsHash }: EffectState,
  asked?: Entry<'EFFECT_REQUESTED'>,
): readonly [string, string | undefined] {
  const name = `tasks/${effectId}/task.json`;
  if (kind === 'step') return [name, undefined];
  const path = join(paths.root, name);
  const said = jsonAt(path);
  if (said === undefined) return [name, readIfThere(path) === undefined ? MISSING : 'it is no JSON'];
  if (!isObject(said) || said.effectId !== effectId) return [name, OTHER];
  if (!asked || argsHash === UNVERIFIED_ARGS) return [name, undefined];
  const { request, requestRef } = asked.data;
  const whole = requestRef ? new RunBlobs(paths).readIfWhole(requestRef) : request;
  // that the request itself is lost is told of the journal
  if (whole === undefined) return [name, undefined];
  const shown = withSmallInputs(effectId, whole as JsonObject);
  if (canonicalJson(said) !== canonicalJson(requestView(asked.data, shown))) return [name, OTHER];
  if (shown === whole || new LegacyFiles(paths.root).json(shown.inputsRef) !== undefined) return [name, undefined];
  return [name, `its arguments, ${String(shown.inputsRef)}, are missing or not what was written`];
}

/** Results that babysitter wrote have another form; of them the status is compared. */
function wrongResult(paths: RunPaths, { effectId, kind, result }: EffectState): readonly [string, string | undefined] {
  const name = `tasks/${effectId}/result.json`;
  if (kind === 'step' || !result) return [name, undefined];
  const path = join(paths.root, name);
  const said = jsonAt(path);
  if (said === undefined) return [name, readIfThere(path) === undefined ? MISSING : 'it is no JSON'];
  if (!isObject(said) || said.status !== result.status)
    return [name, `its status is ${String(isObject(said) && said.status)}, and in the journal ${result.status}`];
  if (said.attempt === undefined || result.status !== 'ok') return [name, undefined];
  if (result.valueRef && canonicalJson(said.valueRef ?? null) !== canonicalJson(result.valueRef)) return [name, OTHER];
  return [name, canonicalJson(said.value ?? null) === canonicalJson(result.value ?? null) ? undefined : OTHER];
}

function jsonAt(path: string): JsonValue | undefined {
  try {
    return JSON.parse(readIfThere(path) ?? '') as JsonValue;
  } catch {
    return undefined;
  }
}

const MISSING = 'it is missing';
const STRAY = 'in the journal the run has no inputs';
const OTHER = 'it says something else than the journal';

export const viewProblem = (path: string, wrong: string): Problem => ({
  code: 'journal_corrupt',
  message: `${path}: ${wrong}`,
  path,
  hint: wrong === STRAY ? 'run:rebuild-state takes it away' : 'run:rebuild-state makes it again from the journal',
});
