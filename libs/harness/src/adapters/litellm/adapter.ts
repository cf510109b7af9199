import { ReinsError } from '@reins/contracts';
import type { HarnessAdapter, HarnessEnvironment, HarnessHealth, HarnessRun } from '../../contract.ts';
import { startFailed } from '../../execution/task-execution.ts';
import { harnessHealth, probeProviders } from '../../providers/probe-providers.ts';
import { CHAT_CAPABILITIES, CHAT_SETTINGS, startChat } from '../openai_chat/adapter.ts';
import { probeProxy } from './probe-proxy.ts';
import { providerOf } from './proxy.ts';

/**
 * The chat and tool loop of `openai_chat` against a LiteLLM proxy. `reins up` starts the proxy if `config` names its
 * configuration; otherwise `provider` names the provider that is one.
 */
export const litellmAdapter: HarnessAdapter = {
  runtimeId: 'litellm',
  capabilities: CHAT_CAPABILITIES,
  settings: { ...CHAT_SETTINGS, command: 'text', config: 'text', provider: 'text' },
  probe,
  start: (run, sink) => {
    const refusal = refusalOf(run);
    return refusal ? startFailed(refusal) : startChat('litellm', run, sink);
  },
};

async function probe(environment: HarnessEnvironment, deadlineMs: number): Promise<HarnessHealth> {
  const [{ version, failure }, providers] = await Promise.all([
    probeProxy(environment, deadlineMs),
    probeProviders(environment, deadlineMs),
  ]);
  return harnessHealth(version, providers, failure);
}

/** Why the run cannot use the proxy; undefined if its provider is the proxy. */
function refusalOf({ providerId, environment }: HarnessRun): ReinsError | undefined {
  const proxy = providerOf(environment);
  if (providerId === proxy) return undefined;
  return new ReinsError({
    code: 'harness_unsupported',
    message: `litellm needs a model of the provider ${proxy} (the run has one of ${providerId})`,
    hint: `Use a model of ${proxy}, such as ${proxy}/<model>, or set harness.litellm.provider.`,
  });
}
