import { defined, type EventOf, ReinsError } from '@reins/contracts';
import { BARE_RUN, type EntryDraft, isAuthored, isEnded, type RunState, requestOfRun } from '@reins/journal';
import { assertAssignable, assignment, isCorrection } from '@reins/replay';
import { runnerOf } from '../../processes/runner-of.ts';
import type { RunPorts } from '../run-ports.ts';
import { correctedCode } from './corrected-code.ts';
import { processInputsOf } from './create-run.ts';

type Ports = Pick<RunPorts, 'processOf' | 'authored' | 'defaults' | 'journal' | 'values'>;

/**
 * Returns the entries that assign a process to a run, give its process corrected code, or, with `force`, replace its
 * process. The process starts with
 * the input and options of the request, or with the inputs of the command. A repeated command, or one to an ended run,
 * changes nothing.
 * @throws ReinsError `process_already_assigned`, `request_ended` (the run is being cancelled), those of
 * `correctedCode`, or one of `PROCESS_START_ERRORS`. The command is then dead-lettered and the run is unchanged.
 */
export async function assigned(
  ports: Ports,
  state: RunState,
  command: EventOf<'command.run.assign'>,
): Promise<EntryDraft[]> {
  const { process, inputs, force, reason, requestedBy, idempotencyKey, revision: code } = command;
  if (isEnded(state) || state.commands.has(idempotencyKey)) return [];
  const corrects = isCorrection(state, command);
  assertAssignable(state, { force: force === true || corrects });
  if (process === BARE_RUN) throw noProcess();
  const { agentId, revision, session } = state;
  const named = { id: process, ...defined({ revision: code }) };
  const runner = await runnerOf(ports, { process: named, agentId, revision, session });
  if (corrects) return correctedCode(ports, state, runner, command);
  const { id, codeHash } = runner;
  const request = { ...requestOfRun(state), ...defined({ input: inputs }) };
  if (isAuthored(id)) await ports.authored?.assertInput({ id, revision: code ?? revision }, request.input);
  return assignment(state, {
    process: { id, codeHash, ...(code !== undefined && isAuthored(id) && { revision: code }) },
    ...processInputsOf(id, request, ports.defaults()),
    force,
    idempotencyKey,
    ...defined({ reason, requestedBy }),
  });
}

const noProcess = (): ReinsError =>
  new ReinsError({
    code: 'request_invalid',
    message: `${BARE_RUN} cannot be assigned: it marks a run without a process`,
    path: 'process',
    hint: 'Name a process of the workspace (`<path>#<export>`), or a built-in process.',
  });
