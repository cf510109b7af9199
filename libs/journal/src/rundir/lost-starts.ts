import type { Entry } from '../entries/entry.ts';

/** A place of a journal whose entry is lost: what its file still says that it was. */
export interface LostPlace {
  readonly version: number;
  readonly type: string | undefined;
}

/**
 * At which lost places the process was started anew. What was asked for after the n-th start says so in its key, so of a start that is missing there
 * one stood where something is lost before it; the one before all that it asked for comes last there.
 * @param known the entries that can be read, or that are proven
 * @param left the keys of what was asked for and has no entry
 * @param isOther `run.json` names a process that none of the entries starts
 */
export function lostStarts(
  places: readonly LostPlace[],
  known: readonly Entry[],
  { left, isOther }: { readonly left: readonly string[]; readonly isOther: boolean },
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
  const missing = Math.max(0, ...left.map(generationOf)) - starts;
  if (missing > 0) found.push(...pool.slice(0, missing));
  else if (isOther && found.length === 0) found.push(...pool.slice(0, 1));
  return new Set(found);
}

/** How often the process had been started anew when it asked for this: `g1.task.check.default.5de532e7d08c.0`. */
export const generationOf = (key: string): number => Number(/^g(\d+)\./.exec(key)?.[1] ?? 0);
