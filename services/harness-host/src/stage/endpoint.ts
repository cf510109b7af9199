import { defined, ReinsError } from '@reins/contracts';
import type { ModelEndpoint } from '@reins/harness';
import { type ModelFacts, modelFacts } from '@reins/model-catalog';
import { type HostRequest, isProxyClient, type ModelClient } from '@reins/runtime-config';
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
  const api = apiOf(
    client,
    providerId === null || !Object.hasOwn(providers, providerId) ? undefined : providers[providerId],
  );
  return {
    api,
    baseUrl: nativeUrl(api, client.base_url),
    apiKey: client.api_key ?? '',
    ...(client.default_headers && { headers: client.default_headers }),
  };
}

/** A proxy names the vendor as its provider, which may be another provider of the settings. */
function apiOf(client: ModelClient, provider: ProviderSettings | undefined): ModelEndpoint['api'] {
  if (provider && !isProxyClient(client)) return provider.api;
  return client.model_proxy_provider === 'anthropic_native' ? 'anthropic-messages' : 'openai-completions';
}

/** The address of a vendor's own API: clients of Anthropic add the version, and requests name Google's compatible API. */
function nativeUrl(api: ModelEndpoint['api'], baseUrl: string): string {
  if (api === 'google-generative-ai') return baseUrl.replace(/\/openai\/*$/, '');
  return api === 'anthropic-messages' ? baseUrl.replace(/\/v1\/*$/, '') : baseUrl;
}

/** What is known about the model of a resolved request. */
export function modelOf(
  { provider_id: providerId, model_id: modelId }: HostRequest,
  providers: Readonly<Record<string, ProviderSettings>>,
): ModelFacts {
  if (providerId === null || modelId === null) return {};
  const { baseUrl, models } = (Object.hasOwn(providers, providerId) && providers[providerId]) || {};
  return modelFacts({ providerId, modelId, ...defined({ baseUrl }), settings: models });
}

function unconfigured(providerId: string | null): ReinsError {
  return new ReinsError({
    code: 'model_provider_unconfigured',
    message: `no model endpoint is configured for the provider ${providerId ?? '(none)'}`,
    path: 'model_client',
    hint: 'Configure the provider (providers.<id>).',
  });
}
