import { type EntryData, isObject, type JsonObject, ReinsError } from '@reins/contracts';
import { isAuthored, type RequestWords, wordsOf } from '@reins/control-bus/core';
import { stagesOption, wrongUsage } from '../arguments.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { inputsOption } from '../runs/values.ts';
import { withRequest } from './request-journal.ts';

/** What of the other request does not hold for the fork. */
export interface ForkChanges {
  readonly input?: string;
  readonly model?: string;
  /** `<stage>=<runtime>` */
  readonly stage: readonly string[];
}

/**
 * Submits a request that shares the first entries of another one: with what that one was given, but for the changes. What was done before
 * entry `at` is not done again.
 * @returns the id of the new request
 */
export async function forkRequest(
  context: CliContext,
  requestId: string,
  at: number,
  { input, model, stage }: ForkChanges,
): Promise<string> {
  const given: JsonObject = await withRequest(context, requestId, async ({ run, entries: [first, ...rest] }) => {
    if (first?.type !== 'RUN_CREATED')
      throw new ReinsError({ code: 'request_not_found', message: 'it has no journal' });
    if (at > rest.length + 1) throw wrongUsage(`${requestId} has entries 1 to ${rest.length + 1}, and no ${at}`);
    const { agentId, revision, process } = first.data;
    const workspace = { id: run.workspaceId, revision };
    return { workspace, agentId, process: process.id, ...submittedWith(first.data) } as JsonObject;
  });
  const changes = {
    ...(input !== undefined && { input: inputsOption(input, '--input') }),
    ...(model !== undefined && { model }),
    ...(stage.length > 0 && { stages: { ...(given.stages as JsonObject), ...stagesOption(stage) } }),
  };
  const body = { ...given, ...changes, fork: { requestId, at } };
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const client = new GatewayClient(gatewayAddress(context));
  return (await client.post<{ requestId: string }>('/requests', body, headers)).requestId;
}

/** The words of a request, as its journal has them. */
function submittedWith({ process, inputs, metadata }: EntryData['RUN_CREATED']): JsonObject {
  if (isAuthored(process.id))
    return { input: inputs, ...wordsOf((metadata ?? {}) as RequestWords) } as unknown as JsonObject;
  if (!isObject(inputs)) return { input: inputs };
  return { input: inputs.input ?? null, ...wordsOf(inputs as RequestWords) } as unknown as JsonObject;
}
