/**
 * Tokens of a character or a piece of text, by its kind. Every vendor has tokenizers of its own. These numbers come from
 * OpenAI's `cl100k_base` and `o200k_base`: of both, the one that needs more tokens. The test has the counts.
 */
const TOKENS = {
  /** An English word of this length, with the space before it, is one token. Random letters are longer words. */
  wordLength: 6,
  /** Each letter after these. */
  longWordLetter: 0.5,
  /** Each character of letters mixed with digits, as in base64, hexadecimal digests and identifiers. */
  encodedCharacter: 0.75,
  /** Some tokenizers join up to three digits, others none. */
  digit: 1,
  /** Each character after the first of several punctuation marks, such as `});`. */
  joinedMark: 0.75,
  cyrillic: 0.5,
  /** Any other character of two bytes in UTF-8: Greek, Arabic, Hebrew, letters with accents. */
  twoBytes: 1.2,
  /** Chinese, Japanese, Korean, Indic scripts, Thai. */
  threeBytes: 1.2,
  /** Punctuation, arrows, mathematical and other symbols of three bytes. */
  symbol: 1.65,
  /** Emoji. */
  fourBytes: 3,
} as const;

const [OTHER, SPACE, LOWER, UPPER, DIGIT] = [0, 1, 2, 3, 4];
const ASCII = 0x80;
/** The kind of each ASCII character. */
const KINDS = Uint8Array.from({ length: ASCII }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return SPACE as number;
  if (/[a-z]/.test(character)) return LOWER as number;
  if (/[A-Z]/.test(character)) return UPPER as number;
  return (/\d/.test(character) ? DIGIT : OTHER) as number;
});

const kindAt = (text: string, at: number): number | undefined => {
  const code = text.charCodeAt(at);
  return code < ASCII ? KINDS[code] : undefined;
};

/** The estimated tokens of a text: at least one, and at most its bytes in UTF-8. Not rounded. */
export function tokensIn(text: string): number {
  if (text === '') return 0;
  let tokens = 0;
  let at = 0;
  while (at < text.length) {
    const kind = kindAt(text, at);
    const piece =
      kind === undefined
        ? afterOtherScript(text, at)
        : kind === SPACE
          ? afterSpaces(text, at)
          : kind === OTHER
            ? afterMarks(text, at)
            : afterWord(text, at);
    tokens += piece.tokens;
    at = piece.end;
  }
  return Math.max(1, tokens);
}

interface Piece {
  readonly tokens: number;
  readonly end: number;
}

/** A space belongs to the word after it. Line breaks and indentation are one token. */
function afterSpaces(text: string, from: number): Piece {
  const end = endOf(text, from, SPACE);
  const isOneSpace = end - from === 1 && text.charCodeAt(from) === 0x20;
  return { tokens: isOneSpace ? 0 : 1, end };
}

function afterMarks(text: string, from: number): Piece {
  const end = endOf(text, from, OTHER);
  return { tokens: 1 + (end - from - 1) * TOKENS.joinedMark, end };
}

function endOf(text: string, from: number, kind: number | undefined): number {
  let end = from + 1;
  while (end < text.length && kindAt(text, end) === kind) end += 1;
  return end;
}

/** Letters and digits without a gap. A capital after a small letter starts a word, as in `camelCase`. */
function afterWord(text: string, from: number): Piece {
  let digits = 0;
  let tokens = 0;
  let wordFrom = from;
  let before: number | undefined;
  let end = from;
  for (; end < text.length; end += 1) {
    const kind = kindAt(text, end);
    if (kind === undefined || kind === OTHER || kind === SPACE) break;
    if (kind === DIGIT) digits += 1;
    if (kind === UPPER && before === LOWER) {
      tokens += tokensOfWord(end - wordFrom);
      wordFrom = end;
    }
    before = kind;
  }
  const ofWords = tokens + tokensOfWord(end - wordFrom);
  if (digits === 0) return { tokens: ofWords, end };
  const length = end - from;
  if (digits === length) return { tokens: length * TOKENS.digit, end };
  return { tokens: Math.max(ofWords, digits * TOKENS.digit, length * TOKENS.encodedCharacter), end };
}

const tokensOfWord = (length: number): number => 1 + Math.max(0, length - TOKENS.wordLength) * TOKENS.longWordLetter;

function afterOtherScript(text: string, from: number): Piece {
  const code = text.codePointAt(from) as number;
  if (code > 0xffff) return { tokens: TOKENS.fourBytes, end: from + 2 };
  if (code >= 0x2000 && code < 0x2e00) return { tokens: TOKENS.symbol, end: from + 1 };
  if (code >= 0x800) return { tokens: TOKENS.threeBytes, end: from + 1 };
  const isCyrillic = code >= 0x400 && code < 0x530;
  return { tokens: isCyrillic ? TOKENS.cyrillic : TOKENS.twoBytes, end: from + 1 };
}
