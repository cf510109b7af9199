import { isReinsError } from '@reins/contracts';
import type { RequestListed } from '../client/api-types.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import type { Check } from './check.ts';

interface RequestPage {
  readonly requests: readonly RequestListed[];
}

/** The progress of a stage whose model call has no response. */
const SILENT = /^waits for a model call/;
const NAME = 'model calls';
/** How many requests the message names. */
const MAX_NAMED = 3;

/** Names the running requests whose model call has no response. Without a gateway that answers, there is no check. */
export async function checkModelCalls(context: CliContext): Promise<readonly Check[]> {
  try {
    const client = new GatewayClient(gatewayAddress(context));
    // A request whose child run calls the model waits for the child run.
    const open = await Promise.all(
      ['running', 'waiting'].map((status) => client.get<RequestPage>(`/requests?status=${status}&limit=200`)),
    );
    const silent = open
      .flatMap(({ requests }) => requests)
      .flatMap(({ requestId, progress = '' }) => (SILENT.test(progress) ? [`${requestId} ${progress}`] : []));
    if (silent.length === 0)
      return [{ name: NAME, status: 'ok', message: 'each call of a running request has a response' }];
    const more = silent.length > MAX_NAMED ? `; and ${silent.length - MAX_NAMED} more` : '';
    const hint = 'Check the provider. The attempt of a stage ends by itself; `reins requests cancel` ends the request.';
    return [{ name: NAME, status: 'warning', message: `${silent.slice(0, MAX_NAMED).join('; ')}${more}`, hint }];
  } catch (error) {
    if (isReinsError(error)) return [];
    throw error;
  }
}
