import type { Uses } from '../doors/model/shared-uses.ts';
import type { UsesBucket } from '../doors/model/uses-writer.ts';

/** A bucket of budget uses in memory. Several hosts may share it. */
export function usesInMemory(): UsesBucket {
  const entries = new Map<string, { readonly value: Uses; readonly revision: number }>();
  let revisions = 0;
  const put = (key: string, value: Uses): number => {
    revisions += 1;
    entries.set(key, { value, revision: revisions });
    return revisions;
  };
  return {
    get: async (key) => {
      const entry = entries.get(key);
      return entry && { key, ...entry };
    },
    create: async (key, value) => (entries.has(key) ? undefined : put(key, value)),
    update: async (key, value, revision) => (entries.get(key)?.revision === revision ? put(key, value) : undefined),
  };
}
