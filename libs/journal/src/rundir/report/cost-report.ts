import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import type { Entry } from '../../entries/entry.ts';

/** What a run has cost so far. */
export interface CostReport {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}

/** The sum of everything that was tracked, in our words and in those of babysitter. */
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

/** Babysitter's has no stage, and so is kept as a note; one without its effect was overlooked there. */
function trackedIn(entry: Entry): JsonObject {
  if (entry.type === 'COST_TRACKED') return entry.data.usage as unknown as JsonObject;
  if (entry.type !== 'PROCESS_LOG' || entry.data.label !== 'babysitter COST_TRACKED') return {};
  const { message } = entry.data;
  return isObject(message) && typeof message.effectId === 'string' ? (message as JsonObject) : {};
}

const numberOf = (value: JsonValue | undefined): number => (typeof value === 'number' ? value : 0);
