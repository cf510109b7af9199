import { defined, type EventOf, ReinsError } from '@reins/contracts';
import type { EntryDraft, RunState } from '@reins/journal';
import { type ProcessRunner, replayRun } from '@reins/replay';
import type { RunPorts } from '../run-ports.ts';

/**
 * The entries that give the process of a run corrected code. The code must make every decision of the journal in the
 * same way: then the run continues where it is. A process that had failed continues, too.
 * @throws ReinsError `process_already_assigned` (the run has this code), `replay_nondeterminism` (which names the entry
 * that differs, and both decisions), `request_invalid` (inputs cannot change)
 */
export async function correctedCode(
  { journal, values }: Pick<RunPorts, 'journal' | 'values'>,
  { run, process }: RunState,
  runner: ProcessRunner,
  { inputs, revision, reason, requestedBy, idempotencyKey }: EventOf<'command.run.assign'>,
): Promise<EntryDraft[]> {
  if (inputs !== undefined) throw inputsChanged();
  if (runner.codeHash === process.codeHash) throw sameCode(run.runId, process.id);
  const { entries } = await journal.load(run);
  const { divergence } = await replayRun({ run, entries, definition: runner, blobs: values });
  if (divergence) throw differs(divergence.error);
  const about = defined({ reason, requestedBy });
  const changed = { from: process.codeHash, to: runner.codeHash, ...defined({ revision }) };
  return [{ type: 'PROCESS_CODE_CHANGED', data: { ...changed, ...about, idempotencyKey } }];
}

const inputsChanged = (): ReinsError =>
  new ReinsError({
    code: 'request_invalid',
    message: 'inputs cannot be replaced together with the code of the process',
    path: 'inputs',
    hint: 'Leave out the inputs, or set `force` to start the process again with other inputs.',
  });

const sameCode = (runId: string, processId: string): ReinsError =>
  new ReinsError({
    code: 'process_already_assigned',
    message: `the run already has this code of ${processId}`,
    path: runId,
    hint: 'Change the code, or resume the run.',
  });

const differs = ({ message, path }: ReinsError): ReinsError =>
  new ReinsError({
    code: 'replay_nondeterminism',
    message: `the new code does not match the history of the run: ${message}`,
    ...defined({ path }),
    hint: 'Guard the change with ctx.patched, fork the run before this entry, or set `force` to start the process again.',
  });
