/** A position in a file. Line and column start at 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

const BYTE_ORDER_MARK = 0xfeff;

/** The text of a file with line arithmetic. The line starts are computed on first use. */
export class SourceText {
  /** The text without its byte order mark. All offsets refer to it. */
  readonly body: string;
  #lineStarts: number[] | undefined;

  constructor(text: string) {
    this.body = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  }

  position(offset: number): TextPosition {
    const starts = this.#starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  }

  /** The position of the first character at or after the offset that is not blank or part of a comment. */
  positionAfterBlanks(offset: number): TextPosition {
    return this.position(skipBlanks(this.body, offset));
  }

  /** One line without its line break. */
  line(number: number): string {
    const starts = this.#starts();
    const start = starts[number - 1];
    if (start === undefined) return '';
    const end = starts[number] ?? this.body.length;
    return this.body.slice(start, end).replace(/[\r\n]+$/, '');
  }

  #starts(): number[] {
    if (this.#lineStarts) return this.#lineStarts;
    const starts = [0];
    for (let i = this.body.indexOf('\n'); i >= 0; i = this.body.indexOf('\n', i + 1)) starts.push(i + 1);
    this.#lineStarts = starts;
    return starts;
  }
}

/** The offset of the first character at or after `offset` that is not a blank, a line break or part of a comment. */
export function skipBlanks(text: string, offset: number): number {
  let i = offset;
  while (i < text.length) {
    const c = text[i];
    if (c === '#' && (i === 0 || isBlank(text[i - 1]))) {
      const end = text.indexOf('\n', i);
      if (end < 0) return offset;
      i = end;
    } else if (!isBlank(c)) return i;
    i += 1;
  }
  return offset;
}

function isBlank(c: string | undefined): boolean {
  return c === ' ' || c === '\n' || c === '\t' || c === '\r';
}
