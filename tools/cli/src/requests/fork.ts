import { defined, type JsonObject, ReinsError, type RunAddress } from '@reins/contracts';
import { type Entry, foldRun, type LargeValues, startedWith } from '@reins/journal';
import { stagesOption, wrongUsage } from '../arguments.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { entriesBefore } from '../runs/effect-names.ts';
import { inputsOption } from '../runs/values.ts';
import { withRequest } from './request-journal.ts';

/** Changes of the fork, compared with the original request. */
export interface ForkChanges {
  readonly input?: string;
  readonly model?: string;
  /** `<stage>=<runtime>` */
  readonly stage: readonly string[];
}

/**
 * Submits a request that shares the first entries of another one. It has the same inputs and settings, except for the changes. The
 * work of the shared entries is not repeated.
 * @param place how many entries it shares, or the effect or stage before which it starts
 * @returns the id of the new request, and the number of shared entries
 */
export function forkRequest(
  context: CliContext,
  requestId: string,
  place: string,
  changes: ForkChanges,
): Promise<{ readonly fork: string; readonly at: number }> {
  return withRequest(context, requestId, async ({ run, entries, values }) => {
    if (entries.length === 0) throw noJournal(requestId);
    const at = entriesBefore(entries.map(numbered), place, '--at');
    if (at > entries.length)
      throw wrongUsage(`--at must be at most ${entries.length}, the number of entries of ${requestId} (got ${at})`);
    return { fork: await submitFork(context, run, entries.slice(0, at), values, changes), at };
  });
}

const numbered = ({ version, type, data }: Entry) => ({ seq: version, type, data });

const noJournal = (requestId: string): ReinsError =>
  new ReinsError({
    code: 'request_not_found',
    message: `the journal of ${requestId} has no entries`,
    path: requestId,
    hint: `Show its status with \`reins requests show ${requestId}\`.`,
  });

/** Submits a fork. @param shared the first entries of `run` @returns the id of the new request */
export async function submitFork(
  context: CliContext,
  run: RunAddress,
  shared: readonly Entry[],
  values: LargeValues,
  { input, model, stage }: ForkChanges,
): Promise<string> {
  const { agentId, revision } = foldRun(run, shared);
  const { process, request } = await startedWith(shared, values);
  const workspace = { id: run.workspaceId, revision };
  const given = { workspace, agentId, process: process.id, ...request } as unknown as JsonObject;
  const changes = {
    ...(input !== undefined && { input: inputsOption(input, '--input') }),
    ...defined({ model }),
    ...(stage.length > 0 && { stages: { ...(given.stages as JsonObject), ...stagesOption(stage) } }),
  };
  const body = { ...given, ...changes, fork: { requestId: run.runId, at: shared.length } };
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const client = new GatewayClient(gatewayAddress(context));
  return (await client.post<{ requestId: string }>('/requests', body, headers)).requestId;
}
