import {
  type AnyEvent,
  type CommandRunSubmit,
  defined,
  isReinsError,
  type Problem,
  problemOf,
  ReinsError,
} from '@reins/contracts';
import { BARE_RUN, type EntryDraft, isAuthored, type RunState } from '@reins/journal';
import { OPERATOR_GRACE_MS } from '@reins/replay';
import { DEFAULT_PROCESS } from '../../processes/registry.ts';
import { PROCESS_START_ERRORS, runnerOf } from '../../processes/runner-of.ts';
import { cancelRequested, runCancelled } from '../decide/cancel.ts';
import { MAX_DEPTH } from '../publish/child-runs.ts';
import type { RunPorts } from '../run-ports.ts';
import { createRun } from './create-run.ts';
import { RunNotStarted } from './run-errors.ts';

type Ports = Pick<RunPorts, 'sessions' | 'defaults' | 'processOf' | 'authored' | 'clock'>;

/**
 * Returns the first entries of a run, or none when the request is queued in its session. A request that is cancelled
 * while it is queued gets a journal that records its end. A child run does not wait for a session.
 * @throws ReinsError `run_unknown` for a message to a run that does not exist; `service_unavailable` for a command to a
 * queued request: the command is redelivered
 */
export async function startRun(ports: Ports, state: RunState, body: AnyEvent): Promise<EntryDraft[]> {
  const { sessions } = ports;
  if (body.type === 'command.run.submit') {
    if (body.parent)
      return body.parent.depth > MAX_DEPTH ? rejectedRun(ports, body, TOO_DEEP) : createdRun(ports, body, {});
    const entered = await sessions.enter(body);
    if (entered.status === 'queued') return [];
    if (entered.status === 'running') return createdRun(ports, body, entered.session);
    return rejectedRun(ports, body, entered.status === 'full' ? QUEUE_FULL : SESSION_EXPIRED);
  }
  const submit = body.type.startsWith('command.') ? await sessions.waiting(body) : undefined;
  if (!submit) throw unknownRun(state, body.type);
  if (body.type !== 'command.run.cancel') throw new RunNotStarted('the request is queued in its session');
  const created = createRun(submit, { ...ports.defaults(), process: namedProcess(submit), session: {} });
  return [...created, ...cancelRequested(state, body), runCancelled(body.reason)];
}

async function createdRun(ports: Ports, submit: CommandRunSubmit, session: RunState['session']): Promise<EntryDraft[]> {
  const { agentId, revision } = submit;
  try {
    const named = submit.process ?? (await ports.authored?.named(revision)) ?? DEFAULT_PROCESS;
    const { id, codeHash } = await runnerOf(ports, {
      process: { id: named },
      agentId,
      revision,
      session,
    });
    if (isAuthored(id)) await ports.authored?.assertInput({ id, revision }, submit.input);
    const origin = { ...ports.defaults(), process: { id, codeHash }, session };
    return createRun(submit, id === BARE_RUN ? { ...origin, assignBy: assignBy(ports.clock.now()) } : origin);
  } catch (error) {
    if (!isReinsError(error) || !PROCESS_START_ERRORS.has(error.code)) throw error;
    const message = error.problems.map((problem) => problem.message).join('; ');
    return rejectedRun(ports, submit, { ...problemOf(error), message }, session);
  }
}

/** The deadline for assigning a process to a run that has none. */
export const assignBy = (from: Date): string => new Date(from.getTime() + OPERATOR_GRACE_MS).toISOString();

/** The entries of a run that cannot start: it is created and fails. @param session the inherited session state, if any */
export function rejectedRun(
  ports: Pick<RunPorts, 'defaults'>,
  submit: CommandRunSubmit,
  { code, message, path, hint }: Problem,
  session: RunState['session'] = {},
): EntryDraft[] {
  const error = { code, message, ...defined({ path, hint }) };
  const created = createRun(submit, { ...ports.defaults(), process: namedProcess(submit), session });
  return [...created, { type: 'RUN_FAILED', data: { error } }];
}

/** The process of a rejected run: its name, without a code hash. */
const namedProcess = ({ process = DEFAULT_PROCESS }: CommandRunSubmit) => ({ id: process, codeHash: 'none' });

const QUEUE_FULL: Problem = {
  code: 'session_queue_full',
  message: 'the queue of the session is full',
  path: 'sessionId',
};

const SESSION_EXPIRED: Problem = {
  code: 'session_expired',
  message: 'the session expired with its last run',
  path: 'sessionId',
  hint: 'Submit the request without a session, or with a new one.',
};

const TOO_DEEP: Problem = {
  code: 'child_too_deep',
  message: `child runs are nested more than ${MAX_DEPTH} levels deep`,
  path: 'parent',
};

const unknownRun = ({ run }: RunState, type: string): ReinsError =>
  new ReinsError({ code: 'run_unknown', message: `run ${run.runId} does not exist`, path: type });
