import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entry } from '../entries/entry.ts';
import { pendingEffects, type RunState } from '../state/run-state.ts';
import { makeDirectories, prettyJson, replaceFile } from './files.ts';
import { LAYOUT_VERSION, type RunPaths } from './layout.ts';

/** The folders that every run directory has. */
export async function writeSkeleton(paths: RunPaths): Promise<void> {
  await makeDirectories([paths.journal, paths.tasks, paths.state, paths.blobs, paths.process, paths.orphaned]);
}

/**
 * What people and tools read: derived from the journal, written after it and not synced, because it can be made again.
 * @param ulid of the last entry
 */
export async function writeViews(
  paths: RunPaths,
  state: RunState,
  entries: readonly Entry[],
  ulid: string,
): Promise<void> {
  for (const entry of entries) await writeEntryView(paths, state, entry);
  await replaceFile(paths.stateFile, prettyJson(stateView(state, ulid)), { durable: false });
}

async function writeEntryView(paths: RunPaths, state: RunState, entry: Entry): Promise<void> {
  switch (entry.type) {
    case 'RUN_CREATED':
    case 'PROCESS_ASSIGNED':
      return writeRunView(paths, state);
    case 'EFFECT_REQUESTED': {
      const { effectId, key, kind, label, request } = entry.data;
      const named = label === undefined ? {} : { label };
      return writeTaskFile(paths, effectId, 'task.json', { effectId, invocationKey: key, kind, ...named, ...request });
    }
    case 'EFFECT_RESOLVED': {
      const { effectId, ...result } = entry.data;
      return writeTaskFile(paths, effectId, 'result.json', { effectId, ...result, finishedAt: entry.recordedAt });
    }
    case 'EFFECT_CANCELLED': {
      const { effectId, attempt, reason } = entry.data;
      return writeTaskFile(paths, effectId, 'result.json', {
        effectId,
        status: 'cancelled',
        attempt,
        ...(reason && { reason }),
      });
    }
    case 'RUN_COMPLETED':
      return replaceFile(paths.outputFile, prettyJson(entry.data.output), { durable: false });
    default:
      return;
  }
}

/** `run.json` and `inputs.json`. */
export async function writeRunView(
  paths: RunPaths,
  state: RunState,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { run, process, createdAt, inputs, sessionId, agentId, revision } = state;
  const [importPath = process.id, exportName] = process.id.split('#');
  const entrypoint = { importPath, ...(exportName && { exportName }) };
  const identity = { runId: run.runId, processId: process.id, entrypoint, layoutVersion: LAYOUT_VERSION, createdAt };
  const owner = { workspaceId: run.workspaceId, sessionId, agentId, revision, processCodeHash: process.codeHash };
  await replaceFile(paths.run, prettyJson({ ...identity, ...owner, ...more }), { durable: true });
  await replaceFile(paths.inputs, prettyJson(inputs), { durable: false });
}

async function writeTaskFile(paths: RunPaths, effectId: string, name: string, value: unknown): Promise<void> {
  const directory = join(paths.tasks, effectId);
  await mkdir(directory, { recursive: true });
  await replaceFile(join(directory, name), prettyJson(value), { durable: false });
}

/** The fold in short: what a status command shows without reading the journal. */
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
