import type { JsonValue } from '@reins/contracts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { lastPreparation } from '../snapshot/preparations.ts';
import { followToEnd } from './run.ts';
import { parseIteration, type StageSelector } from './snapshot.ts';

export interface ReplayFlags extends StageSelector {
  readonly runtime: string;
  readonly detach?: boolean;
}

/**
 * `reins replay-request`: does one stage of a request again on another runtime, from the same tree and the same words. It is a request of its
 * own (process `stage-again`, `retryOf` the first one), in a session of its own, so that the journal and the facts of both stay true.
 */
export async function replayRequest(context: CliContext, requestId: string, flags: ReplayFlags): Promise<ExitCode> {
  const client = new GatewayClient(gatewayAddress(context));
  const { workspaceId, asked } = await lastPreparation(client, requestId, flags.stage, parseIteration(flags.iteration));
  const { stage, iteration, planRef, input, context: handedOn = {}, tree } = asked;
  const body = {
    workspace: { id: workspaceId, revision: tree },
    process: 'stage-again',
    retryOf: requestId,
    stages: { [stage]: flags.runtime },
    input: { stage, iteration, planRef, input, context: handedOn } as unknown as JsonValue,
  };
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const { requestId: again } = await client.post<{ requestId: string }>('/requests', body, headers);
  if (flags.detach) {
    if (context.json) printJson(context, { requestId: again, retryOf: requestId, status: 'accepted' });
    else context.out(`${again}\n`);
    return EXIT.ok;
  }
  context.note(`${stage} ${iteration} of ${requestId} again, on ${flags.runtime}: request ${again}`);
  return followToEnd(context, client, again);
}
