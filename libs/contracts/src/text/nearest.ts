const MAX_COMPARED = 40;
const MIN_PREFIX = 4;
/** The maximum number of candidates to compare, which bounds the time. */
const MAX_CANDIDATES = 2000;

/** The known name with the smallest edit distance, if it is close enough to be a typo; otherwise undefined. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  if (name.length > MAX_COMPARED) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  let seen = 0;
  for (const candidate of known) {
    seen += 1;
    if (seen > MAX_CANDIDATES) break;
    const distance = distanceOf(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** A name that is a prefix of the other counts as close, independent of the lengths. */
function distanceOf(wanted: string, candidate: string, limit: number): number {
  const [short, long] = wanted.length < candidate.length ? [wanted, candidate] : [candidate, wanted];
  if (short.length >= MIN_PREFIX && long.startsWith(short)) return Math.min(1, limit);
  return editDistance(wanted, candidate, limit);
}

/** The number of insertions, deletions, replacements and swaps of neighbours. Stops counting at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, at(older, j - 2) + 1);
      current.push(cost);
    }
    [older, previous] = [previous, current];
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] as number;
}
