import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@reins/bus';
import { type JsonValue, type Problem, ReinsError } from '@reins/contracts';
import { isAuthored, requestOfRun, runnerOf } from '@reins/control-bus/core';
import { assertAssignable, isAssignment } from '@reins/replay';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { withSources } from './replay.ts';
import { type RequestReading, withRequest } from './request-journal.ts';

/** What a request is given. */
export interface RequestAssignment {
  /** Code of its workspace, `<path>#<export>`, or a process that is built in. */
  readonly process: string;
  readonly inputs?: JsonValue;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/** The owner of the run has to load code, and may just be another one. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 300;

/**
 * Gives a request its process, and sees to it that it has it.
 * @returns the process that it had
 * @throws ReinsError `process_already_assigned` · `request_ended` · what keeps the process from being run · `service_unavailable` when nobody
 * has heard of the outcome in time
 */
export function assignToRequest(
  context: CliContext,
  requestId: string,
  { process, inputs, force, dryRun }: RequestAssignment,
): Promise<string> {
  return withRequest(context, requestId, async (before, bus, again) => {
    const { state } = before;
    assertAssignable(state, { force });
    await assertRunnable(bus, before, process, inputs);
    if (dryRun) return state.process.id;
    const client = new GatewayClient(gatewayAddress(context));
    const body = { process, ...(inputs !== undefined && { inputs }), ...(force && { force }) };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const path = `/requests/${requestId}/process`;
    const { idempotencyKey } = await client.post<{ idempotencyKey: string }>(path, body, headers);
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(PAUSE_MS)) {
      const { entries, state: now } = await again();
      const taken = entries.filter(isAssignment).find(({ data }) => data.idempotencyKey === idempotencyKey);
      if (taken) return taken.data.previous?.id ?? state.process.id;
      const refusal = (await refusals(client, requestId)).find((each) => each.idempotencyKey === idempotencyKey);
      if (refusal) throw new ReinsError(refusal.problem);
      if (now.end) throw endedMeanwhile(requestId, now.end.status);
    }
    throw unknownOutcome(requestId);
  });
}

/** What is wrong with the process is told before anybody is asked to do something. */
async function assertRunnable(
  bus: Bus,
  { state }: RequestReading,
  id: string,
  inputs: JsonValue | undefined,
): Promise<void> {
  const { revision, session } = state;
  await withSources(bus, async (sources) => {
    await runnerOf(sources, { process: { id }, revision, session });
    if (isAuthored(id)) await sources.authored.assertInput({ id, revision }, inputs ?? requestOfRun(state).input);
  });
}

interface Refusal {
  readonly type: string;
  readonly idempotencyKey?: string;
  readonly problem: Problem;
}

/** The assignments that the run refused, whoever asked for them. */
async function refusals(client: GatewayClient, requestId: string): Promise<readonly Refusal[]> {
  const path = `/requests/${requestId}/dead-letters`;
  const { deadLetters } = await client.get<{ deadLetters: readonly Refusal[] }>(path);
  return deadLetters.filter(({ type }) => type === 'command.run.assign');
}

const endedMeanwhile = (requestId: string, status: string): ReinsError =>
  new ReinsError({
    code: 'request_ended',
    message: `the request is ${status}: that came before its process`,
    path: requestId,
    hint: `\`reins fork ${requestId} --at <n>\` goes on from one of its entries`,
  });

const unknownOutcome = (requestId: string): ReinsError =>
  new ReinsError({
    code: 'service_unavailable',
    message: `the command is stored, and the run has neither taken nor refused it within ${PATIENCE_MS / 1000} s`,
    path: requestId,
    hint: `\`reins run:events ${requestId}\` shows PROCESS_ASSIGNED when it has`,
  });
