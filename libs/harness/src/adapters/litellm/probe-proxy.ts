import type { HarnessEnvironment, ProviderEndpoint } from '../../contract.ts';
import { parseObject, textOf } from '../../execution/json.ts';
import type { Failure } from '../../providers/probe-providers.ts';
import { providerOf, readinessUrl } from './proxy.ts';

/** The version of the proxy, as far as it is known, and why no stage can use it. */
export interface ProxyHealth {
  readonly version: string;
  readonly failure?: Failure;
}

const DEADLINE_MS = 15_000;
const SHOWN = 200;
const UNKNOWN = 'unknown';

/** Checks that the provider is a LiteLLM proxy that takes calls. Calls no model. Never rejects. */
export async function probeProxy(environment: HarnessEnvironment, deadlineMs: number): Promise<ProxyHealth> {
  const providerId = providerOf(environment);
  const endpoint = environment.providers[providerId];
  if (endpoint === undefined) return { version: '', failure: unconfigured(providerId) };
  const url = readinessUrl(endpoint.baseUrl);
  const failed = (why: string): ProxyHealth => ({
    version: '',
    failure: {
      reason: `provider ${providerId} is not a LiteLLM proxy that takes calls: ${why}`,
      hint: `Start the proxy, or correct providers.${providerId}.base_url.`,
    },
  });
  try {
    const signal = AbortSignal.timeout(Math.min(deadlineMs, DEADLINE_MS));
    const response = await fetch(url, { redirect: 'manual', signal });
    const text = await response.text();
    if (!response.ok || parseObject(text)?.status !== 'healthy')
      return failed(`${new URL(url).origin} responds with ${response.status} ${text.slice(0, SHOWN)}`.trimEnd());
    return { version: await versionOf(url, endpoint, signal) };
  } catch (error) {
    const { code } = (error as { cause?: { code?: string } }).cause ?? {};
    return failed(code ?? (error as Error).message);
  }
}

/** The proxy says its version only to those who have its key. Another key does not prevent calls without one. */
async function versionOf(url: string, { apiKey }: ProviderEndpoint, signal: AbortSignal): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${url}/details`, { headers, redirect: 'manual', signal });
  return textOf(parseObject(await response.text())?.litellm_version) || UNKNOWN;
}

const unconfigured = (providerId: string): Failure => ({
  reason: `no provider ${providerId} is configured, which would be the LiteLLM proxy`,
  hint: `Configure providers.${providerId}, or set harness.litellm.config so that \`reins up\` starts a proxy.`,
});
