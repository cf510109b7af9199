import { type EventOf, ReinsError } from '@reins/contracts';
import { BARE_RUN, type EntryDraft, isEnded, type RunState } from '@reins/journal';
import { assertAssignable, assignment } from '@reins/replay';
import { isAuthored, runnerOf } from '../processes/runner-of.ts';
import { processInputsOf, requestOfRun } from './create-run.ts';
import type { RunPorts } from './run-ports.ts';

type Ports = Pick<RunPorts, 'processOf' | 'authored' | 'defaults'>;

/**
 * The entries that give a run its process, or with `force` another one. It begins with the input and the words of the request, or with the
 * inputs that are given along. Said again, or to a run that has ended meanwhile, it changes nothing.
 * @throws ReinsError `process_already_assigned` · `request_ended` of a run that is being cancelled · what keeps the process from being run
 * (`PROCESS_START_ERRORS`): the command is a dead letter then, and the run is as it was
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
    message: `${BARE_RUN} is no process: it says that a run has none`,
    path: 'process',
    hint: 'name code of the workspace, `<path>#<export>`, or a process that is built in',
  });
