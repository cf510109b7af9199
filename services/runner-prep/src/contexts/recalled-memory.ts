import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import type { Loaded, RecalledMemory } from '@reins/runtime-config';

/** Codes of a recall that no memory service answered. */
const UNAVAILABLE: readonly JsonValue[] = ['effect_timed_out', 'service_unavailable'];

/** What the run recalled from each namespace. A part that failed is left out; the run has a fact about it. */
export function recalledMemory(value: JsonValue | undefined): Loaded<readonly RecalledMemory[]> {
  if (!Array.isArray(value)) return { status: 'disabled', reason: 'the workspace declares no memory' };
  const parts = value.filter(isObject);
  const recalled = parts.flatMap(({ namespace, recordIds, context }) => {
    if (typeof namespace !== 'string' || typeof context !== 'string' || context === '') return [];
    const ids = Array.isArray(recordIds) ? recordIds.filter((id): id is string => typeof id === 'string') : [];
    return [{ namespace, record_ids: ids, text: context }];
  });
  if (recalled.length > 0) return { status: 'loaded', value: recalled };
  const failed = parts.filter(({ error }) => isObject(error));
  if (failed.length === 0) return { status: 'empty' };
  const isAway = failed.every(({ error }) => UNAVAILABLE.includes((error as JsonObject).code ?? null));
  const reason = failed.map(({ namespace, error }) => `${namespace}: ${(error as JsonObject).message}`).join('; ');
  return { status: isAway ? 'unavailable' : 'failed', reason };
}
