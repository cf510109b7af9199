import type { ErrorCode } from '@reins/contracts';
import type { HarnessResult } from '@reins/harness';
import type { HostRequest } from '@reins/runtime-config';

/** The errors of model calls that the endpoint of the provider caused. */
const OF_PROVIDER: ReadonlySet<string> = new Set<ErrorCode>([
  'model_unavailable',
  'model_unauthorized',
  'model_rate_limited',
  'model_call_refused',
]);
/** The codes whose cause may be a wrong address. */
const OF_ADDRESS: ReadonlySet<string> = new Set<ErrorCode>(['model_unavailable', 'model_call_refused']);
/** How adapters and the model door begin the message. They do not know the provider. */
const SUBJECT = /^the (?:provider|model endpoint)\b/;

/** Names the provider, its address and its setting in the error of a failed model call. */
export function withProvider(
  result: HarnessResult,
  { provider_id: id, model_client: client }: Pick<HostRequest, 'provider_id' | 'model_client'>,
): HarnessResult {
  if ((result.status !== 'failed' && result.status !== 'unknown') || !client?.base_url || id === null) return result;
  const { error } = result;
  if (!OF_PROVIDER.has(error.code) || !SUBJECT.test(error.message)) return result;
  const setting = `providers.${id}.${OF_ADDRESS.has(error.code) ? 'base_url' : 'api_key'}`;
  const named = `the provider ${id} at ${addressOf(client.base_url)}`;
  const message = `${error.message.replace(SUBJECT, named)} (${setting})`;
  return { ...result, error: { ...error, message } };
}

/** The address without user, query and fragment, which may contain a key. */
function addressOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return 'an invalid address';
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname}`;
}
