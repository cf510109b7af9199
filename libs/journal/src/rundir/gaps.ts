/** Numbers in a row. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
}

/** More lost entries in a row than this are told as one: a file with a large number may have come from elsewhere. */
const LONGEST = 10_000;

/**
 * The numbers from 1 to an end that no file of a journal has: each by itself, but of a row that is too long for that only its ends, which the files
 * around it may say something of, and all between them as one.
 */
export function gapsIn(files: readonly { readonly seq: number }[], end: number): NumberRange[] {
  const there = [...new Set(files.map(({ seq }) => seq))].filter((seq) => seq <= end);
  const stops = [0, ...there.toSorted((a, b) => a - b), end + 1];
  return stops.slice(1).flatMap((stop, i) => rowBetween((stops[i] as number) + 1, stop - 1));
}

function rowBetween(first: number, last: number): NumberRange[] {
  const length = last - first + 1;
  if (length > LONGEST) return [only(first), { first: first + 1, last: last - 1 }, only(last)];
  return Array.from({ length: Math.max(0, length) }, (_, i) => only(first + i));
}

const only = (number: number): NumberRange => ({ first: number, last: number });

/** How many numbers they have. */
export const countOf = (ranges: readonly NumberRange[]): number =>
  ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);

/** `2, 3, 7 to 12`: more than two in a row by their ends. */
export function rangesInWords(ranges: readonly NumberRange[]): string {
  const rows: { first: number; last: number }[] = [];
  for (const { first, last } of ranges) {
    const before = rows.at(-1);
    if (before?.last === first - 1) before.last = last;
    else rows.push({ first, last });
  }
  return rows.map(({ first, last }) => rowInWords(first, last)).join(', ');
}

function rowInWords(first: number, last: number): string {
  if (first === last) return `${first}`;
  return last === first + 1 ? `${first}, ${last}` : `${first} to ${last}`;
}
