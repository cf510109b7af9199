import type { Entry } from '../entries/entry.ts';

/**
 * What of a journal still stands: without what the process decided from an invalidated effect on, and what came of that. A
 * process is replayed over these; then it asks again. What came from outside for anything else stays, signals among it.
 */
export function standingEntries(entries: readonly Entry[]): readonly Entry[] {
  if (!entries.some(({ type }) => type === 'EFFECT_INVALIDATED')) return entries;
  let standing: Entry[] = [];
  for (const entry of entries) {
    if (entry.type === 'EFFECT_INVALIDATED') standing = without(standing, entry.data.effectId);
    else standing.push(entry);
  }
  return standing;
}

function without(entries: readonly Entry[], effectId: string): Entry[] {
  const from = entries.findIndex((entry) => entry.type === 'EFFECT_REQUESTED' && entry.data.effectId === effectId);
  const before = entries.slice(0, from);
  const after = entries.slice(from);
  const gone = new Set(after.flatMap((entry) => (entry.type === 'EFFECT_REQUESTED' ? [entry.data.effectId] : [])));
  return [...before, ...after.flatMap((entry) => stands(entry, gone))];
}

function stands(entry: Entry, gone: ReadonlySet<string>): Entry[] {
  switch (entry.type) {
    case 'EFFECT_REQUESTED':
    case 'PROCESS_LOG':
    case 'PROCESS_RUNTIME_ERROR':
      return [];
    case 'SIGNAL_RECEIVED': {
      // Nobody asked for it as it is now: it waits for whoever will.
      const { effectId, ...signal } = entry.data;
      return [effectId !== undefined && gone.has(effectId) ? { ...entry, data: signal } : entry];
    }
    default: {
      const effectId = 'effectId' in entry.data ? entry.data.effectId : undefined;
      return effectId !== undefined && gone.has(effectId) ? [] : [entry];
    }
  }
}
