import type { Entry } from '../entries/entry.ts';

/** The place of a lost entry, and its type if the file still shows it. */
export interface LostPlace {
  readonly version: number;
  readonly type: string | undefined;
}

/**
 * Finds the lost places at which the process was restarted. Keys contain the number of restarts before a request, so a
 * missing start must be in a lost place before its first request. The last such place is chosen.
 * @param known the entries that can be read or are proven
 * @param orphanKeys the keys of tasks without an entry
 * @param isOtherProcess whether `run.json` names a process that no entry starts
 */
export function lostStarts(
  places: readonly LostPlace[],
  known: readonly Entry[],
  { orphanKeys, isOtherProcess }: { readonly orphanKeys: readonly string[]; readonly isOtherProcess: boolean },
): ReadonlySet<number> {
  const found: number[] = [];
  let starts = 0;
  let pool: number[] = [];
  const entries = new Map(known.map((entry) => [entry.version, entry]));
  for (const { version, type } of [...places, ...known].toSorted((a, b) => a.version - b.version)) {
    const entry = entries.get(version);
    if (type === 'PROCESS_ASSIGNED') {
      starts += 1;
      if (!entry) found.push(version);
    } else if (entry?.type === 'EFFECT_REQUESTED') {
      const generation = generationOf(entry.data.key);
      if (generation > starts) found.push(...pool.slice(starts - generation));
      starts = Math.max(starts, generation);
      pool = [];
    } else if (type === undefined) pool.push(version);
  }
  const missing = Math.max(0, ...orphanKeys.map(generationOf)) - starts;
  if (missing > 0) found.push(...pool.slice(0, missing));
  else if (isOtherProcess && found.length === 0) found.push(...pool.slice(0, 1));
  return new Set(found);
}

/** How often the process had been restarted before this request: 1 in `g1.task.check.default.5de532e7d08c.0`. */
export const generationOf = (key: string): number => Number(/^g(\d+)\./.exec(key)?.[1] ?? 0);
