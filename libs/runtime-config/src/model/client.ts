import { type Problem, ReinsError } from '@reins/contracts';
import {
  OPENROUTER_ATTRIBUTION,
  OPENROUTER_LEGACY_HEADERS,
  type ProviderCatalog,
  type ProviderEntry,
  secretPlaceholder,
  type Transport,
} from './catalog.ts';
import type { ModelTarget } from './target.ts';
import { unknownProvider } from './unknown-provider.ts';

/**
 * What an executor needs to call its model. The key is a placeholder, which the host replaces when it starts the
 * executor.
 */
export interface ModelClient {
  readonly model_proxy_provider: Transport;
  readonly api_key: string | null;
  readonly base_url: string | null;
  readonly default_headers: Readonly<Record<string, string>> | null;
}

const CALLER_HEADER = 'X-Holaboss-User-Id';

/** Whether the client calls a managed proxy. Its provider is then a vendor, not a provider from the settings. */
export const isProxyClient = ({ default_headers }: ModelClient): boolean =>
  default_headers !== null && Object.hasOwn(default_headers, CALLER_HEADER);

/** The caller that is passed to a managed proxy in headers. */
export interface ProxyCaller {
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly inputId: string;
  readonly runId: string;
  readonly sandboxId: string;
}

/**
 * The client for a model target.
 * @throws ReinsError `model_provider_unconfigured` with the missing settings
 */
export function modelClientOf(target: ModelTarget, catalog: ProviderCatalog, caller: ProxyCaller): ModelClient {
  const { provider } = target;
  if (provider === null) throw noProvider(target, catalog);
  return provider.kind === 'holaboss_proxy'
    ? proxyClient(target, provider, catalog, caller)
    : directClient(target, provider);
}

function directClient(target: ModelTarget, provider: ProviderEntry): ModelClient {
  const missing = missingParts(provider);
  if (missing.length > 0) {
    throw incomplete(
      provider,
      `Direct provider '${provider.id}' is not fully configured (missing: ${missing.join(', ')}).`,
    );
  }
  return {
    model_proxy_provider: target.transport,
    api_key: provider.api_key === null ? null : secretPlaceholder(provider.api_key),
    base_url: directUrl(provider.base_url ?? '', target.transport),
    default_headers: provider.kind === 'openrouter' ? openRouterHeaders(provider.headers) : (provider.headers ?? null),
  };
}

function missingParts(provider: ProviderEntry): readonly string[] {
  return [
    ...(provider.api_key === null && provider.keyless !== true ? ['api_key'] : []),
    ...(provider.base_url === null || provider.base_url.trim() === '' ? ['base_url'] : []),
  ];
}

/**
 * Anthropic clients append the version, so `/v1` is removed. Google's API needs the path of its OpenAI-compatible
 * endpoint.
 */
function directUrl(baseUrl: string, transport: Transport): string {
  const url = baseUrl.trim().replace(/\/+$/, '');
  if (transport === 'anthropic_native') return url.replace(/\/v1$/, '');
  if (transport !== 'google_compatible' || !URL.canParse(url)) return url;
  return new URL(url).pathname === '/' ? `${url}/v1beta/openai` : url;
}

function openRouterHeaders(headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const own = Object.entries(headers).filter(([name]) => !OPENROUTER_LEGACY_HEADERS.includes(name.toLowerCase()));
  return { ...Object.fromEntries(own), ...OPENROUTER_ATTRIBUTION };
}

function proxyClient(
  target: ModelTarget,
  proxy: ProviderEntry,
  catalog: ProviderCatalog,
  caller: ProxyCaller,
): ModelClient {
  const userId = catalog.proxy_user_id?.trim() ?? '';
  const missing = [
    ...missingParts({ ...proxy, keyless: false }),
    ...(userId === '' ? ['user id (HOLABOSS_USER_ID)'] : []),
  ];
  if (missing.length > 0 || proxy.api_key === null) {
    throw incomplete(proxy, `Sandbox model proxy is not configured (missing: ${missing.join(', ')})`);
  }
  const key = secretPlaceholder(proxy.api_key);
  return {
    model_proxy_provider: target.transport,
    api_key: key,
    base_url: `${(proxy.base_url ?? '').trim().replace(/\/+$/, '')}/${target.providerId}/v1`,
    default_headers: {
      'X-API-Key': key,
      [CALLER_HEADER]: userId,
      'X-Holaboss-Sandbox-Id': caller.sandboxId,
      'X-Holaboss-Session-Id': caller.sessionId,
      'X-Holaboss-Workspace-Id': caller.workspaceId,
      'X-Holaboss-Input-Id': caller.inputId,
      'X-Holaboss-Run-Id': caller.runId,
    },
  };
}

function noProvider({ providerId, modelId }: ModelTarget, catalog: ProviderCatalog): ReinsError {
  return unknownProvider(`${providerId}/${modelId}`, providerId, catalog);
}

function incomplete(provider: ProviderEntry, message: string): ReinsError {
  const problem: Problem = {
    code: 'model_provider_unconfigured',
    message,
    path: `providers.${provider.id}`,
    hint: 'Complete the provider in the settings of the installation.',
  };
  return new ReinsError(problem);
}
