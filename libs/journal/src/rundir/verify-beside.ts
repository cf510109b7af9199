import { join } from 'node:path';
import { canonicalJson, isObject, isReinsError, type JsonValue, type Problem } from '@reins/contracts';
import type { Entry } from '../entries/entry.ts';
import type { EffectState, RunState } from '../state/run-state.ts';
import { firstUlid } from './chained-ulid.ts';
import { readIfThere } from './files.ts';
import type { RunPaths } from './layout.ts';
import { RunBlobs } from './run-blobs.ts';
import { metadataOf } from './views.ts';

/** Values that the journal has by reference are there, and what their names say. They cannot be made again. */
export async function blobProblems(paths: RunPaths, entries: readonly Entry[]): Promise<Problem[]> {
  const blobs = new RunBlobs(paths);
  const problems: Problem[] = [];
  for (const { version, type, data } of entries) {
    if (type !== 'EFFECT_RESOLVED' || !('valueRef' in data) || !data.valueRef) continue;
    try {
      await blobs.get(data.valueRef);
    } catch (error) {
      if (!isReinsError(error)) throw error;
      problems.push(
        ...error.problems.map((one) => ({ ...one, message: `entry ${version} (${type}): ${one.message}` })),
      );
    }
  }
  return problems;
}

/** Whose the journal is follows from the name of its first entry. @param first its ULID */
export function runIdProblems(paths: RunPaths, first: string): Problem[] {
  const { runId } = metadataOf(paths);
  if (typeof runId !== 'string' || firstUlid(runId) === first) return [];
  const message = `run.json: its run is ${runId}, and the journal is that of another one`;
  return [{ code: 'journal_corrupt', message, path: 'run.json' }];
}

/** What people and tools read beside the journal says what the journal says. */
export function viewProblems(paths: RunPaths, state: RunState): Problem[] {
  const { inputs, end } = state;
  const named: readonly (readonly [string, string | undefined])[] = [
    ['run.json', wrongRunFile(paths, state)],
    ['inputs.json', inputs === null || inputs === undefined ? undefined : wrongValue(paths.inputs, inputs)],
    ['state/output.json', end?.status === 'completed' ? wrongValue(paths.outputFile, end.output) : undefined],
    ...[...state.effects.values()].flatMap((effect) => [wrongTask(paths, effect), wrongResult(paths, effect)]),
  ];
  return named.flatMap(([path, wrong]) => (wrong === undefined ? [] : [viewProblem(path, wrong)]));
}

/** Of a directory that babysitter wrote, and nobody has gone on with, what its journal needs is there; nobody can make it again. */
export function foreignProblems(paths: RunPaths, state: RunState): Problem[] {
  return [...state.effects.values()].flatMap((effect) => {
    const [path, wrong] = wrongTask(paths, effect);
    return wrong === undefined ? [] : [{ code: 'journal_corrupt', message: `${path}: ${wrong}`, path } as const];
  });
}

/** Of a run that was babysitter's the file is what babysitter wrote, and others may have moved its process since. */
function wrongRunFile(paths: RunPaths, { process }: RunState): string | undefined {
  if (readIfThere(paths.run) === undefined) return MISSING;
  const { entrypoint, migratedFrom } = metadataOf(paths);
  if (migratedFrom !== undefined) return undefined;
  if (!isObject(entrypoint)) return 'it names no process';
  const { importPath, exportName } = entrypoint;
  const id = typeof exportName === 'string' ? `${String(importPath)}#${exportName}` : importPath;
  return id === process.id ? undefined : `its process is ${String(id)}, and in the journal ${process.id}`;
}

function wrongValue(path: string, recorded: JsonValue): string | undefined {
  const value = jsonAt(path);
  if (value === undefined) return readIfThere(path) === undefined ? MISSING : 'it is no JSON';
  return canonicalJson(value) === canonicalJson(recorded) ? undefined : OTHER;
}

/** What babysitter wrote there has the effect's id, too. */
function wrongTask(paths: RunPaths, { effectId, kind }: EffectState): readonly [string, string | undefined] {
  const name = `tasks/${effectId}/task.json`;
  if (kind === 'step') return [name, undefined];
  const path = join(paths.root, name);
  const said = jsonAt(path);
  if (said === undefined) return [name, readIfThere(path) === undefined ? MISSING : 'it is no JSON'];
  return [name, isObject(said) && said.effectId === effectId ? undefined : OTHER];
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
  if (said.attempt === undefined || result.status !== 'ok' || said.valueRef !== undefined) return [name, undefined];
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
const OTHER = 'it says something else than the journal';

export const viewProblem = (path: string, wrong: string): Problem => ({
  code: 'journal_corrupt',
  message: `${path}: ${wrong}`,
  path,
  hint: 'run:rebuild-state makes it again from the journal',
});
