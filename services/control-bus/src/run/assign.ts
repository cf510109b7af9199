import { type EventOf, ReinsError } from '@reins/contracts';
import { BARE_RUN, type EntryDraft, isAuthored, isEnded, type RunState, requestOfRun } from '@reins/journal';
import { assertAssignable, assignment } from '@reins/replay';
import { runnerOf } from '../processes/runner-of.ts';
import { processInputsOf } from './create-run.ts';
import type { RunPorts } from './run-ports.ts';

type Ports = Pick<RunPorts, 'processOf' | 'authored' | 'defaults'>;

/**
 * Returns the entries that assign a process to a run, or, with `force`, replace its process. The process starts with
 * the input and options of the request, or with the inputs of the command. A repeated command, or one to an ended run,
 * changes nothing.
 * @throws ReinsError `process_already_assigned`, `request_ended` (the run is being cancelled), or one of
 * `PROCESS_START_ERRORS`. The command is then dead-lettered and the run is unchanged.
 */
export async function assigned(
  ports: Ports,
  state: RunState,
  { process, inputs, force, reason, requestedBy, idempotencyKey }: EventOf<'command.run.assign'>,
): Promise<EntryDraft[]> {
  if (isEnded(state) || state.commands.has(idempotencyKey)) return [];
  assertAssignable(state, { force });
  if (process === BARE_RUN) throw noProcess();
  const { revision, session } = state;
  const { id, codeHash } = await runnerOf(ports, { process: { id: process }, revision, session });
  const request = { ...requestOfRun(state), ...(inputs !== undefined && { input: inputs }) };
  if (isAuthored(id)) await ports.authored?.assertInput({ id, revision }, request.input);
  return assignment(state, {
    process: { id, codeHash },
    ...processInputsOf(id, request, ports.defaults()),
    force,
    idempotencyKey,
    ...(reason !== undefined && { reason }),
    ...(requestedBy !== undefined && { requestedBy }),
  });
}

const noProcess = (): ReinsError =>
  new ReinsError({
    code: 'request_invalid',
    message: `${BARE_RUN} cannot be assigned: it marks a run without a process`,
    path: 'process',
    hint: 'Name a process of the workspace (`<path>#<export>`), or a built-in process.',
  });
