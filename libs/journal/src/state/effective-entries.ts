import type { Entry } from '../entries/entry.ts';

/**
 * The entries that are still in effect: without the decisions of the process from an invalidated effect on, and without
 * their results. A process is replayed over these and then requests the effect again. Signals and other input from
 * outside stay.
 */
export function effectiveEntries(entries: readonly Entry[]): readonly Entry[] {
  if (!entries.some(({ type }) => type === 'EFFECT_INVALIDATED')) return entries;
  let effective: Entry[] = [];
  for (const entry of entries) {
    if (entry.type === 'EFFECT_INVALIDATED') effective = without(effective, entry.data.effectId);
    else effective.push(entry);
  }
  return effective;
}

function without(entries: readonly Entry[], effectId: string): Entry[] {
  const from = entries.findIndex((entry) => entry.type === 'EFFECT_REQUESTED' && entry.data.effectId === effectId);
  const before = entries.slice(0, from);
  const after = entries.slice(from);
  const invalidated = new Set(
    after.flatMap((entry) => (entry.type === 'EFFECT_REQUESTED' ? [entry.data.effectId] : [])),
  );
  return [...before, ...after.flatMap((entry) => withoutInvalidated(entry, invalidated))];
}

function withoutInvalidated(entry: Entry, invalidated: ReadonlySet<string>): Entry[] {
  switch (entry.type) {
    case 'EFFECT_REQUESTED':
    case 'PROCESS_LOG':
    case 'PROCESS_RUNTIME_ERROR':
      return [];
    case 'SIGNAL_RECEIVED': {
      // The effect that it resolved is gone, so the signal waits until the process requests it again.
      const { effectId, ...signal } = entry.data;
      return [effectId !== undefined && invalidated.has(effectId) ? { ...entry, data: signal } : entry];
    }
    default: {
      const effectId = 'effectId' in entry.data ? entry.data.effectId : undefined;
      return effectId !== undefined && invalidated.has(effectId) ? [] : [entry];
    }
  }
}
