import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import type { Entry } from '@reins/journal';

/** The cost of a run so far. */
export interface CostReport {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}

/** Sums all tracked costs, of Reins and of babysitter. */
export function costOf(entries: readonly Entry[]): CostReport {
  const total = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  for (const entry of entries) {
    const { inputTokens, outputTokens, costUsd } = trackedIn(entry);
    total.inputTokens += numberOf(inputTokens);
    total.outputTokens += numberOf(outputTokens);
    total.costUsd += numberOf(costUsd);
  }
  return total;
}

/** Babysitter's cost event has no stage, so it was kept as a note. Babysitter ignores one without an effect. */
function trackedIn(entry: Entry): JsonObject {
  if (entry.type === 'COST_TRACKED') return entry.data.usage as unknown as JsonObject;
  if (entry.type !== 'PROCESS_LOG' || entry.data.label !== 'babysitter COST_TRACKED') return {};
  const { message } = entry.data;
  return isObject(message) && typeof message.effectId === 'string' ? (message as JsonObject) : {};
}

const numberOf = (value: JsonValue | undefined): number => (typeof value === 'number' ? value : 0);
