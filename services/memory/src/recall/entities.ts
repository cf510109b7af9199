import { folded } from '../model/text.ts';

/** A word with a capital letter inside a sentence, a number, or an identifier such as `max_size`, `v2.1` or `a@b.c`. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_.@/:-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu;

/**
 * The names, numbers and identifiers in a text, folded. The first word of a sentence counts only if it has a digit, a
 * sign or another capital letter: sentences begin with a capital letter anyway.
 */
export function entitiesIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!isName(word, isFirst(text.slice(0, index)))) continue;
    const name = folded(word);
    if (name !== '') found.add(name);
  }
  return found;
}

const isFirst = (before: string): boolean => /(^|[.!?:\n])\s*["'(]*$/u.test(before);

function isName(word: string, first: boolean): boolean {
  if (/\p{N}|[_@/]|\p{L}[.:]\p{L}|\p{L}\p{Lu}/u.test(word)) return true;
  return !first && /^\p{Lu}\p{L}/u.test(word);
}
