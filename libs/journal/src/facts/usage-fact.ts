import { defined, type Usage } from '@reins/contracts';
import { type FactDraft, fact } from './fact-draft.ts';

/** What a stage used. */
export function usageFact(stage: string, runtimeId: string, usage: Usage): FactDraft {
  const {
    provider = 'unknown',
    model = 'unknown',
    inputTokens,
    cachedInputTokens = 0,
    outputTokens,
    costUsd,
    source,
  } = usage;
  const known = defined({ costUsd, source });
  return fact('runtime.usage.recorded', {
    stage,
    runtimeId,
    provider,
    model,
    inputTokens,
    cachedInputTokens,
    outputTokens,
    ...known,
  });
}
