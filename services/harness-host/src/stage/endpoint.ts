import { ReinsError } from '@reins/contracts';
import type { ModelEndpoint } from '@reins/harness';
import { type ModelFacts, modelFacts } from '@reins/model-catalog';
import type { HostRequest } from '@reins/runtime-config';
import type { ProviderSettings } from '@reins/service-kit';

const NONE: ModelEndpoint = { api: 'openai-completions', baseUrl: '', apiKey: '' };

/**
 * Returns the model endpoint of a resolved request.
 * @throws ReinsError `model_provider_unconfigured` when the runtime needs a model and the request has no endpoint
 */
export function endpointOf(
  { model_client: client, provider_id: providerId }: HostRequest,
  providers: Readonly<Record<string, ProviderSettings>>,
  needed: boolean,
): ModelEndpoint {
  if (!client?.base_url) {
    if (needed) throw unconfigured(providerId);
    return NONE;
  }
  const configured =
    providerId !== null && Object.hasOwn(providers, providerId) ? providers[providerId]?.api : undefined;
  const native = client.model_proxy_provider === 'anthropic_native';
  return {
    api: configured ?? (native ? 'anthropic-messages' : 'openai-completions'),
    baseUrl: configured === 'google-generative-ai' ? nativeGoogleUrl(client.base_url) : client.base_url,
    apiKey: client.api_key ?? '',
    ...(client.default_headers && { headers: client.default_headers }),
  };
}

/** Google's own API, where a request names the one that is compatible with OpenAI's. */
const nativeGoogleUrl = (baseUrl: string): string => baseUrl.replace(/\/openai\/*$/, '');

/** What is known about the model of a resolved request. */
export function modelOf(
  { provider_id: providerId, model_id: modelId }: HostRequest,
  providers: Readonly<Record<string, ProviderSettings>>,
): ModelFacts {
  if (providerId === null || modelId === null) return {};
  const { baseUrl, models } = (Object.hasOwn(providers, providerId) && providers[providerId]) || {};
  return modelFacts({ providerId, modelId, ...(baseUrl !== undefined && { baseUrl }), settings: models });
}

function unconfigured(providerId: string | null): ReinsError {
  return new ReinsError({
    code: 'model_provider_unconfigured',
    message: `no model endpoint is configured for the provider ${providerId ?? '(none)'}`,
    path: 'model_client',
    hint: 'Configure the provider (providers.<id>).',
  });
}
