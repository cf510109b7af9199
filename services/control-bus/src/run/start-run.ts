import {
  type AnyEvent,
  type CommandRunSubmit,
  isReinsError,
  type Problem,
  problemOf,
  ReinsError,
} from '@reins/contracts';
import { BARE_RUN, type EntryDraft, type RunState } from '@reins/journal';
import { OPERATOR_GRACE_MS } from '@reins/replay';
import { DEFAULT_PROCESS } from '../processes/registry.ts';
import { isAuthored, PROCESS_START_ERRORS, runnerOf } from '../processes/runner-of.ts';
import { cancelRequested, runCancelled } from './cancel.ts';
import { MAX_DEPTH } from './child-runs.ts';
import { createRun } from './create-run.ts';
import { RunNotStarted } from './run-not-started.ts';
import type { RunPorts } from './run-ports.ts';

type Ports = Pick<RunPorts, 'sessions' | 'defaults' | 'processOf' | 'authored' | 'clock'>;

/**
 * The first entries of a run. One of a session waits for its turn; one that is cancelled while it waits gets a journal just to
 * end in it. A run inside a run has no session to wait for.
 * @throws ReinsError `run_unknown` for a message to a run that does not exist; `service_unavailable` for a command to one that waits
 * for its turn: it comes again
 */
export async function startRun(ports: Ports, state: RunState, body: AnyEvent): Promise<EntryDraft[]> {
  const { sessions } = ports;
  if (body.type === 'command.run.submit') {
    if (body.parent)
      return body.parent.depth > MAX_DEPTH ? rejectedRun(ports, body, TOO_DEEP) : createdRun(ports, body, {});
    const entered = await sessions.enter(body);
    if (entered.status === 'queued') return [];
    return entered.status === 'running'
      ? createdRun(ports, body, entered.session)
      : rejectedRun(ports, body, QUEUE_FULL);
  }
  const submit = body.type.startsWith('command.') ? await sessions.waiting(body) : undefined;
  if (!submit) throw unknownRun(state, body.type);
  if (body.type !== 'command.run.cancel') throw new RunNotStarted('the request waits for its turn');
  const created = createRun(submit, { ...ports.defaults(), process: nominal(submit), session: {} });
  return [...created, ...cancelRequested(state, body), runCancelled(body.reason)];
}

async function createdRun(ports: Ports, submit: CommandRunSubmit, session: RunState['session']): Promise<EntryDraft[]> {
  const { revision } = submit;
  try {
    const named = submit.process ?? (await ports.authored?.named(revision)) ?? DEFAULT_PROCESS;
    const { id, codeHash } = await runnerOf(ports, { process: { id: named }, revision, session });
    if (isAuthored(id)) await ports.authored?.assertInput({ id, revision }, submit.input);
    const origin = { ...ports.defaults(), process: { id, codeHash }, session };
    return createRun(submit, id === BARE_RUN ? { ...origin, assignBy: assignBy(ports.clock.now()) } : origin);
  } catch (error) {
    if (!isReinsError(error) || !PROCESS_START_ERRORS.has(error.code)) throw error;
    const message = error.problems.map((problem) => problem.message).join('; ');
    return rejectedRun(ports, submit, { ...problemOf(error), message }, session);
  }
}

/** By when a run that has no process must be given one. */
export const assignBy = (from: Date): string => new Date(from.getTime() + OPERATOR_GRACE_MS).toISOString();

/** A request whose run cannot even begin still gets its end. @param session what it inherits, where its turn had come */
export function rejectedRun(
  ports: Pick<RunPorts, 'defaults'>,
  submit: CommandRunSubmit,
  { code, message, path, hint }: Problem,
  session: RunState['session'] = {},
): EntryDraft[] {
  const error = { code, message, ...(path !== undefined && { path }), ...(hint !== undefined && { hint }) };
  const created = createRun(submit, { ...ports.defaults(), process: nominal(submit), session });
  return [...created, { type: 'RUN_FAILED', data: { error } }];
}

/** Of a process that never runs, its name is all that is recorded. */
const nominal = ({ process = DEFAULT_PROCESS }: CommandRunSubmit) => ({ id: process, codeHash: 'none' });

const QUEUE_FULL: Problem = {
  code: 'session_queue_full',
  message: 'too many requests of this session wait already',
  path: 'sessionId',
};

const TOO_DEEP: Problem = {
  code: 'child_too_deep',
  message: `a run is inside ${MAX_DEPTH} others already`,
  path: 'parent',
};

const unknownRun = ({ run }: RunState, type: string): ReinsError =>
  new ReinsError({ code: 'run_unknown', message: `there is no run ${run.runId}`, path: type });
