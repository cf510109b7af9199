/** A range of consecutive numbers. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
}

/** A longer gap is reported as one range, because a single large number may belong to a file of another origin. */
const MAX_SPLIT_GAP = 10_000;

/**
 * The missing numbers from 1 to `end`, each as a range of length one. A gap longer than `MAX_SPLIT_GAP` gives three
 * ranges: its first and last number, which neighbours may help to recover, and the rest.
 */
export function gapsIn(files: readonly { readonly seq: number }[], end: number): NumberRange[] {
  const present = [...new Set(files.map(({ seq }) => seq))].filter((seq) => seq <= end);
  const bounds = [0, ...present.toSorted((a, b) => a - b), end + 1];
  return bounds.slice(1).flatMap((bound, i) => gapRanges((bounds[i] as number) + 1, bound - 1));
}

function gapRanges(first: number, last: number): NumberRange[] {
  const length = last - first + 1;
  if (length > MAX_SPLIT_GAP) return [single(first), { first: first + 1, last: last - 1 }, single(last)];
  return Array.from({ length: Math.max(0, length) }, (_, i) => single(first + i));
}

const single = (number: number): NumberRange => ({ first: number, last: number });

/** How many numbers the ranges contain. */
export const countOf = (ranges: readonly NumberRange[]): number =>
  ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);

/** Formats ranges, for example `2, 3, 7 to 12`. */
export function rangesInWords(ranges: readonly NumberRange[]): string {
  const merged: { first: number; last: number }[] = [];
  for (const { first, last } of ranges) {
    const before = merged.at(-1);
    if (before?.last === first - 1) before.last = last;
    else merged.push({ first, last });
  }
  return merged.map(({ first, last }) => rangeInWords(first, last)).join(', ');
}

function rangeInWords(first: number, last: number): string {
  if (first === last) return `${first}`;
  return last === first + 1 ? `${first}, ${last}` : `${first} to ${last}`;
}
