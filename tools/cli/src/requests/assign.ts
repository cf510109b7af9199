import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@reins/bus';
import { type JsonValue, type Problem, ReinsError } from '@reins/contracts';
import { isAuthored, requestIn, runnerOf } from '@reins/control-bus/core';
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
const PAUSE_MS = 100;

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
    const refused = await refusals(client, requestId);
    const known = new Set(refused.map(({ seq }) => seq));
    const body = { process, ...(inputs !== undefined && { inputs }), ...(force && { force }) };
    await client.post(`/requests/${requestId}/process`, body, { 'idempotency-key': crypto.randomUUID() });
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(PAUSE_MS)) {
      const { entries, state: now } = await again();
      if (
        entries.slice(before.entries.length).some((entry) => isAssignment(entry) && entry.data.process.id === process)
      )
        return state.process.id;
      if (now.end) throw new ReinsError({ code: 'request_ended', message: `the request is ${now.end.status}` });
      const refusal = (await refusals(client, requestId)).find(({ seq }) => !known.has(seq));
      if (refusal) throw new ReinsError(refusal.problem);
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
    if (isAuthored(id)) await sources.authored.assertInput({ id, revision }, inputs ?? requestIn(state).input);
  });
}

interface Refusal {
  readonly seq: number;
  readonly type: string;
  readonly problem: Problem;
}

/** The assignments that the run refused. */
async function refusals(client: GatewayClient, requestId: string): Promise<readonly Refusal[]> {
  const path = `/requests/${requestId}/dead-letters`;
  const { deadLetters } = await client.get<{ deadLetters: readonly Refusal[] }>(path);
  return deadLetters.filter(({ type }) => type === 'command.run.assign');
}

const unknownOutcome = (requestId: string): ReinsError =>
  new ReinsError({
    code: 'service_unavailable',
    message: `the command is stored, and the run has neither taken nor refused it within ${PATIENCE_MS / 1000} s`,
    path: requestId,
    hint: `\`reins run:events ${requestId}\` shows PROCESS_ASSIGNED when it has`,
  });
