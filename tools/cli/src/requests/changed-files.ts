import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { type ChangedFile, changedFiles } from '../run/result.ts';
import { assertCanLookUp } from './lookup.ts';

/** The files that a request changed. @throws ReinsError `request_not_found` */
export async function requestChangedFiles(context: CliContext, requestId: string): Promise<readonly ChangedFile[]> {
  assertCanLookUp(context, requestId, 'REINS_URL');
  return changedFiles(new GatewayClient(gatewayAddress(context)), requestId);
}
