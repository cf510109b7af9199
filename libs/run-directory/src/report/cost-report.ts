import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import type { Entry } from '@reins/journal';

/** The cost of a run so far. */
export interface CostReport {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** `unknown` if the cost of one report is; absent if nothing was reported. */
  readonly costUsd?: number | 'unknown';
}

/** Sums all tracked costs, of Reins and of babysitter. */
export function costOf(entries: readonly Entry[]): CostReport {
  const reports = entries.flatMap(trackedIn);
  const sum = (name: string): number => reports.reduce((total, report) => total + numberOf(report[name]), 0);
  const tokens = { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') };
  if (reports.length === 0) return tokens;
  const isKnown = reports.every(({ costUsd }) => typeof costUsd === 'number');
  return { ...tokens, costUsd: isKnown ? sum('costUsd') : 'unknown' };
}

/** Babysitter's cost event has no stage, so it was kept as a note. Babysitter ignores one without an effect. */
function trackedIn(entry: Entry): JsonObject[] {
  if (entry.type === 'COST_TRACKED') return [entry.data.usage as unknown as JsonObject];
  if (entry.type !== 'PROCESS_LOG' || entry.data.label !== 'babysitter COST_TRACKED') return [];
  const { message } = entry.data;
  return isObject(message) && typeof message.effectId === 'string' ? [message as JsonObject] : [];
}

const numberOf = (value: JsonValue | undefined): number => (typeof value === 'number' ? value : 0);
