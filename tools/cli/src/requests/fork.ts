import { type EntryData, type JsonObject, ReinsError, type RunAddress } from '@reins/contracts';
import { requestOfRun } from '@reins/control-bus/core';
import { type Entry, foldRun } from '@reins/journal';
import { isAssignment } from '@reins/replay';
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
export function forkRequest(context: CliContext, requestId: string, at: number, changes: ForkChanges): Promise<string> {
  return withRequest(context, requestId, async ({ run, entries }) => {
    if (entries.length === 0) throw noJournal(requestId);
    if (at > entries.length) throw wrongUsage(`${requestId} has entries 1 to ${entries.length}, and no ${at}`);
    return submitFork(context, run, entries.slice(0, at), changes);
  });
}

const noJournal = (requestId: string): ReinsError =>
  new ReinsError({
    code: 'request_not_found',
    message: `the journal of ${requestId} has no entries`,
    path: requestId,
    hint: `\`reins requests show ${requestId}\` says how it stands`,
  });

/** @param shared the first entries of that run @returns the id of the new request */
export async function submitFork(
  context: CliContext,
  run: RunAddress,
  shared: readonly Entry[],
  { input, model, stage }: ForkChanges,
): Promise<string> {
  const { agentId, revision, metadata } = foldRun(run, shared);
  const { process, inputs = null } = beginningIn(shared);
  const workspace = { id: run.workspaceId, revision };
  const request = requestOfRun({ process, inputs, ...(metadata && { metadata }) });
  const given = { workspace, agentId, process: process.id, ...request } as unknown as JsonObject;
  const changes = {
    ...(input !== undefined && { input: inputsOption(input, '--input') }),
    ...(model !== undefined && { model }),
    ...(stage.length > 0 && { stages: { ...(given.stages as JsonObject), ...stagesOption(stage) } }),
  };
  const body = { ...given, ...changes, fork: { requestId: run.runId, at: shared.length } };
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const client = new GatewayClient(gatewayAddress(context));
  return (await client.post<{ requestId: string }>('/requests', body, headers)).requestId;
}

/** What its process was given: by who submitted the request, or by who gave it a process later. */
function beginningIn(entries: readonly Entry[]): Pick<EntryData['PROCESS_ASSIGNED'], 'process' | 'inputs'> {
  const found = entries.findLast(isBeginning);
  if (found) return found.data;
  throw new ReinsError({ code: 'journal_corrupt', message: 'a journal begins with RUN_CREATED' });
}

const isBeginning = (entry: Entry): entry is Entry<'RUN_CREATED' | 'PROCESS_ASSIGNED'> =>
  entry.type === 'RUN_CREATED' || isAssignment(entry);
