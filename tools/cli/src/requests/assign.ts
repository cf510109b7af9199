import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@reins/bus';
import { defined, isReinsError, type JsonValue, type Problem, ReinsError } from '@reins/contracts';
import { runnerOf } from '@reins/control-bus/core';
import { type Entry, isAuthored, type RunState, requestOfRun } from '@reins/journal';
import { assertAssignable, isAssignment, isCorrection } from '@reins/replay';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { upload } from '../run/submit.ts';
import { person } from './control-actions.ts';
import { withSources } from './replay.ts';
import { withRequest } from './request-journal.ts';

/** The process to assign to a request. */
export interface RequestAssignment {
  /** Code of the workspace, as `<path>#<export>`, or the name of a built-in process. */
  readonly process: string;
  readonly inputs?: JsonValue;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  /** The folder of the workspace with the code, if it is not the revision of the request. It is uploaded. */
  readonly dir?: string;
  readonly reason?: string;
}

/** How long to wait for the owner of the run: it loads code, and its partition may be moving. */
const OUTCOME_TIMEOUT_MS = 30_000;
const POLL_INTERVAL_MS = 300;

/**
 * Assigns a process, or corrected code of its process, to a request, and waits until the run has accepted or refused it.
 * @returns the id of the previous process
 * @throws ReinsError `process_already_assigned` · `replay_nondeterminism` · `request_ended` · any problem of loading the process · `service_unavailable` when the
 * outcome is not known in time
 */
export function assignToRequest(
  context: CliContext,
  requestId: string,
  { process, inputs, force, dryRun, dir, reason }: RequestAssignment,
): Promise<string> {
  return withRequest(context, requestId, async (before, bus, reload) => {
    const { state, run } = before;
    const client = new GatewayClient(gatewayAddress(context));
    const corrects = isCorrection(state, { process, force, ...defined({ revision: dir }) });
    assertFree(state, { process, force: force === true || corrects, dir });
    const revision = dir === undefined ? undefined : await upload(client, run.workspaceId, dir);
    await assertRunnable(context, bus, { ...state, revision: revision ?? state.revision }, process, inputs);
    if (dryRun) return state.process.id;
    const body = {
      process,
      ...defined({ inputs }),
      ...(force && { force }),
      ...defined({ revision, reason }),
      ...person(context, 'requestedBy'),
    };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const path = `/requests/${requestId}/process`;
    const { idempotencyKey } = await client.post<{ idempotencyKey: string }>(path, body, headers);
    for (const deadline = Date.now() + OUTCOME_TIMEOUT_MS; Date.now() < deadline; await sleep(POLL_INTERVAL_MS)) {
      const { entries, state: now } = await reload();
      const accepted = entries.filter(isAccepted).find(({ data }) => data.idempotencyKey === idempotencyKey);
      if (accepted) return previousOf(accepted) ?? state.process.id;
      const refusal = (await refusals(client, requestId)).find((each) => each.idempotencyKey === idempotencyKey);
      if (refusal) throw new ReinsError(refusal.problem);
      if (now.end) throw endedMeanwhile(requestId, now.end.status);
    }
    throw unknownOutcome(requestId);
  });
}

/**
 * As `assertAssignable`, with a hint for corrected code of the process that the request has. Another name with a folder
 * may be a typing error: `force` would discard the work of the process.
 */
function assertFree(state: RunState, { process, force, dir }: AssignedProcess): void {
  try {
    assertAssignable(state, { force });
  } catch (error) {
    const isOwn = process === state.process.id;
    if (!isReinsError(error) || error.code !== 'process_already_assigned' || !(isOwn || dir)) throw error;
    const command = `reins requests assign ${state.run.runId} ${dir ?? '<dir>'} --process ${state.process.id}`;
    const correct = isOwn ? 'Pass the workspace folder with the corrected code' : 'To correct its code, use its name';
    const restarted = isOwn ? 'the process' : process;
    throw new ReinsError({
      code: error.code,
      message: error.message,
      path: state.run.runId,
      hint: `${correct}: \`${command}\`. With \`--force\`, ${restarted} starts from its beginning, and pending effects are cancelled.`,
    });
  }
}

interface AssignedProcess {
  readonly process: string;
  readonly force: boolean;
  readonly dir: string | undefined;
}

type Accepted = Entry<'PROCESS_ASSIGNED' | 'PROCESS_CODE_CHANGED'>;

const isAccepted = (entry: Entry): entry is Accepted => isAssignment(entry) || entry.type === 'PROCESS_CODE_CHANGED';

const previousOf = ({ data }: Accepted): string | undefined => ('previous' in data ? data.previous?.id : undefined);

/** Checks that the process can be loaded and accepts the inputs, before any command is sent. */
async function assertRunnable(
  context: CliContext,
  bus: Bus,
  state: RunState,
  id: string,
  inputs: JsonValue | undefined,
): Promise<void> {
  const { agentId, revision, session } = state;
  await withSources(context, bus, async (sources) => {
    await runnerOf(sources, { process: { id }, agentId, revision, session });
    if (isAuthored(id)) await sources.authored.assertInput({ id, revision }, inputs ?? requestOfRun(state).input);
  });
}

interface Refusal {
  readonly type: string;
  readonly idempotencyKey?: string;
  readonly problem: Problem;
}

/** All assignments that the run refused, including those of other callers. */
async function refusals(client: GatewayClient, requestId: string): Promise<readonly Refusal[]> {
  const path = `/requests/${requestId}/dead-letters`;
  const { deadLetters } = await client.get<{ deadLetters: readonly Refusal[] }>(path);
  return deadLetters.filter(({ type }) => type === 'command.run.assign');
}

const endedMeanwhile = (requestId: string, status: string): ReinsError =>
  new ReinsError({
    code: 'request_ended',
    message: `the request ended as ${status} before the process was assigned`,
    path: requestId,
    hint: `Continue from one of its entries with \`reins fork ${requestId} --at <n>\`.`,
  });

const unknownOutcome = (requestId: string): ReinsError =>
  new ReinsError({
    code: 'service_unavailable',
    message: `the command is stored, but the run neither accepted nor refused it within ${OUTCOME_TIMEOUT_MS / 1000} s`,
    path: requestId,
    hint: `Look for PROCESS_ASSIGNED or PROCESS_CODE_CHANGED in \`reins run:events ${requestId}\`.`,
  });
