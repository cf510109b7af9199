import type { JsonValue } from '@reins/contracts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { followHint, followToEnd } from '../run/actions.ts';
import { parseIteration, type StageSelector } from './actions.ts';
import { lastPreparation } from './preparations.ts';

export interface ReplayFlags extends StageSelector {
  readonly runtime: string;
  readonly detach?: boolean;
}

/**
 * `reins replay-request`: runs one stage of a request again on another runtime, from the same tree and input. The result is a new request
 * (process `stage-again`, `retryOf` the original) in a new session, so the journal and the facts of the original stay unchanged.
 */
export async function replayRequest(context: CliContext, requestId: string, flags: ReplayFlags): Promise<ExitCode> {
  const client = new GatewayClient(gatewayAddress(context));
  const { workspaceId, request } = await lastPreparation(
    client,
    requestId,
    flags.stage,
    parseIteration(flags.iteration),
  );
  const { stage, iteration, planRef, input, context: stageContext = {}, tree } = request;
  const body = {
    workspace: { id: workspaceId, revision: tree },
    process: 'stage-again',
    retryOf: requestId,
    stages: { [stage]: flags.runtime },
    input: { stage, iteration, planRef, input, context: stageContext } as unknown as JsonValue,
  };
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const { requestId: newRequestId } = await client.post<{ requestId: string }>('/requests', body, headers);
  if (flags.detach) {
    if (context.json) printJson(context, { requestId: newRequestId, retryOf: requestId, status: 'accepted' });
    else context.out(`${newRequestId}\n`);
    context.note(followHint(newRequestId));
    return EXIT.ok;
  }
  context.note(
    `repeating stage ${stage}, iteration ${iteration}, of ${requestId} on ${flags.runtime}: request ${newRequestId}`,
  );
  return followToEnd(context, client, newRequestId);
}
