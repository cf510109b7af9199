import { ReinsError } from '@reins/contracts';
import type { HarnessRun, ModelEndpoint } from '../contract.ts';

/**
 * Refuses a run whose model speaks another protocol than its executor.
 * @param title the name of the executor in messages
 * @throws ReinsError `harness_unsupported`
 */
export function requireApi(
  title: string,
  needed: ModelEndpoint['api'],
  { endpoint: { api }, providerId }: HarnessRun,
): void {
  if (api === needed) return;
  throw new ReinsError({
    code: 'harness_unsupported',
    message: `${title} needs a provider that speaks ${needed} (${providerId} speaks ${api})`,
    hint: `Set providers.${providerId}.api to ${needed} if its endpoint has this API, or use another runtime.`,
  });
}
