import { defined } from '@reins/contracts';
import { type AskedThinking, type SentThinking, thinkingFor } from '@reins/model-catalog';
import { parseThinking } from '@reins/runtime-config/thinking';
import type { HarnessRun } from '../contract.ts';

/** What a run sends to its model about thinking: nothing, unless its request asks for something. */
export function thinkingOf({ thinkingValue, model = {} }: Pick<HarnessRun, 'thinkingValue' | 'model'>): SentThinking {
  return thinkingFor(askedBy(thinkingValue), model);
}

function askedBy(value: string | null): AskedThinking | undefined {
  const { level, budgets } = parseThinking(value);
  if (level === null) return undefined;
  if (level === 'off') return 'off';
  const budget = budgets?.[level];
  return { level, ...defined({ budget }) };
}
