import type { Entry } from '@reins/journal';

/** A missing entry: its version, and its type if the file still shows it. */
interface MissingEntry {
  readonly version: number;
  readonly type: string | undefined;
}

/**
 * Finds the missing entries that restarted the process. Each effect key contains the number of restarts before its
 * request, so a missing restart comes before the first such request. The last possible version is chosen.
 * @param known the entries that can be read or are proven
 * @param orphanKeys the keys of tasks without an entry
 * @param hasUnrecordedProcess whether `run.json` names a process that no entry starts
 */
export function missingRestarts(
  places: readonly MissingEntry[],
  known: readonly Entry[],
  {
    orphanKeys,
    hasUnrecordedProcess,
  }: { readonly orphanKeys: readonly string[]; readonly hasUnrecordedProcess: boolean },
): ReadonlySet<number> {
  const found: number[] = [];
  let starts = 0;
  let candidates: number[] = [];
  const entries = new Map(known.map((entry) => [entry.version, entry]));
  for (const { version, type } of [...places, ...known].toSorted((a, b) => a.version - b.version)) {
    const entry = entries.get(version);
    if (type === 'PROCESS_ASSIGNED') {
      starts += 1;
      if (!entry) found.push(version);
    } else if (entry?.type === 'EFFECT_REQUESTED') {
      const generation = generationOf(entry.data.key);
      if (generation > starts) found.push(...candidates.slice(starts - generation));
      starts = Math.max(starts, generation);
      candidates = [];
    } else if (type === undefined) candidates.push(version);
  }
  const missing = Math.max(0, ...orphanKeys.map(generationOf)) - starts;
  if (missing > 0) found.push(...candidates.slice(0, missing));
  else if (hasUnrecordedProcess && found.length === 0) found.push(...candidates.slice(0, 1));
  return new Set(found);
}

/** How often the process had been restarted before this request: 1 in `g1.task.check.default.5de532e7d08c.0`. */
export const generationOf = (key: string): number => Number(/^g(\d+)\./.exec(key)?.[1] ?? 0);
