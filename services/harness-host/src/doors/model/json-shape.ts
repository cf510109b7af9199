/** The deepest nesting of a body. Parsed values of this depth can be read and serialised recursively. */
const MAX_DEPTH = 500;
/** The most values of a body. A long conversation has a few thousand; each takes much more memory than its text. */
const MAX_VALUES = 500_000;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What makes a JSON text too expensive to parse; undefined: nothing. Reads the bytes once, and does not validate them. */
export function expensiveShape(bytes: Uint8Array): 'depth' | 'values' | undefined {
  let [depth, values] = [0, 1];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH) return 'depth';
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === COMMA || byte === COLON) values += 1;
    if (values > MAX_VALUES) return 'values';
  }
  return undefined;
}

/** The position of the quote that ends the string, or the end of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  let end = start;
  do {
    end = bytes.indexOf(QUOTE, end + 1);
    if (end < 0) return bytes.length;
  } while (isEscaped(bytes, end));
  return end;
}

/** Whether an odd number of backslashes precedes. */
function isEscaped(bytes: Uint8Array, at: number): boolean {
  let before = at - 1;
  while (bytes[before] === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}
