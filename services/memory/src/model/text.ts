/** A text without case, accents, punctuation and repeated spaces: equal texts say the same. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The trigrams of a folded text, word by word, as `pg_trgm` has them. */
export function trigrams(text: string): ReadonlySet<string> {
  const padded = text.split(' ').map((word) => `  ${word} `);
  return new Set(padded.flatMap((word) => Array.from({ length: word.length - 2 }, (_, at) => word.slice(at, at + 3))));
}

/** The share of trigrams that two folded texts have in common, from 0 to 1. */
export function similarity(a: string, b: string): number {
  const [left, right] = [trigrams(a), trigrams(b)];
  const common = left.intersection(right).size;
  return common / (left.size + right.size - common);
}

const NEGATION = /^(no|not|never|none|without|cannot|dont|doesnt|isnt|arent|wont|t|nicht|nie|kein|keine|ohne)$/u;

/** Whether a word can change what a text says although it is short: a number, a name, a negation. */
const isDecisive = (word: string): boolean => /[\p{N}\p{Lu}]/u.test(word) || NEGATION.test(word.toLowerCase());

const SAME_TEXT = 0.9;
const SAME_WORD = 0.4;

/**
 * Whether two texts say the same in almost the same words: they share nearly all trigrams, and differ only in the
 * spelling of words that are neither numbers, names nor negations.
 */
export function isNearDuplicate(a: string, b: string): boolean {
  const [left, right] = [folded(a), folded(b)];
  if (left === right) return true;
  if (similarity(left, right) < SAME_TEXT) return false;
  const [onlyLeft, onlyRight] = [wordsWithout(a, b), wordsWithout(b, a)];
  if (onlyLeft.length !== onlyRight.length || [...onlyLeft, ...onlyRight].some(isDecisive)) return false;
  return onlyLeft.every((word) => onlyRight.some((other) => similarity(folded(word), folded(other)) >= SAME_WORD));
}

/** The words of `text` that `other` does not have. The first word of a sentence may have another case. */
function wordsWithout(text: string, other: string): string[] {
  const known = new Set(folded(other).split(' '));
  return text.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== '' && !known.has(folded(word)));
}
