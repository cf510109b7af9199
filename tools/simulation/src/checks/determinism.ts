import { definitionFor } from '@reins/control-bus/core';
import { type Entry, isAuthored, type RunState } from '@reins/journal';
import { isAssignment, type ProcessDefinition, replayRun } from '@reins/replay';
import { stateOf } from '../server/read-journals.ts';
import { authoredProcesses, isAuthoredHere, isVersioned } from '../world/authored.ts';
import { processesOf } from '../world/processes.ts';
import type { SimulatedCase } from './case.ts';
import { about, type Check, type Finding } from './common.ts';

/** A divergence is reported only for versioned processes whose code has changed. */
export const divergence: Check = ({ evidence }) =>
  [...evidence.journals.values()].flatMap(({ entries, run }) => {
    const first = entries.findIndex(isDivergence);
    if (first < 0) return [];
    const wasChanged = entries.slice(0, first).some(({ type }) => type === 'PROCESS_CODE_CHANGED');
    const { id } = stateOf({ entries: entries.slice(0, first), run }).process;
    return wasChanged && isVersioned(id) ? [] : [about(run.runId, `a divergence is reported at entry ${first + 1}`)];
  });

/** Replaying each journal gives the recorded decisions. With a reassigned process, each part is replayed separately. */
export async function determinism({ evidence, server }: SimulatedCase): Promise<Finding[]> {
  const parts = [...evidence.journals.values()].flatMap(({ entries, run }) => [
    ...entries.flatMap((entry, at) => (isAssignment(entry) ? [{ entries: entries.slice(0, at), run }] : [])),
    { entries, run },
  ]);
  const findings = parts.map(async ({ entries, run }) => {
    const state = stateOf({ entries, run });
    const definition = definitionOf(state);
    if (!definition || mayDiverge(state.process.id, entries)) return [];
    const blobs = { get: async (ref: { sha256: string; size: number }) => jsonOf(server.getBlob(ref)) };
    const { divergence } = await replayRun({
      everyStart: true,
      run,
      entries,
      definition,
      blobs,
    } as Parameters<typeof replayRun>[0]);
    return divergence ? [about(run.runId, `its replay diverges: ${JSON.stringify(divergence)}`)] : [];
  });
  return (await Promise.all(findings)).flat();
}

const jsonOf = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

/** Undefined for an unknown process; its run failed because of that. */
function definitionOf(state: RunState): ProcessDefinition | undefined {
  const { codeHash, id } = state.process;
  if (isAuthored(id)) return isAuthoredHere(id) ? authoredProcesses(codeHash)(id) : undefined;
  try {
    return definitionFor(processesOf('v1')(id, codeHash), state);
  } catch {
    return undefined;
  }
}

/** Whether changed code may have decided differently, after the run had waited for an operator. */
const mayDiverge = (id: string, entries: readonly Entry[]): boolean =>
  isVersioned(id) && entries.some(({ type }) => type === 'PROCESS_RUNTIME_ERROR');

const isDivergence = (entry: Entry): boolean =>
  entry.type === 'PROCESS_RUNTIME_ERROR' && entry.data.error.code === 'replay_nondeterminism';
