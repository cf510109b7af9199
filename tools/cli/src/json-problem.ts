/** Where a text stops to be JSON, such as `unexpected "x" at line 1, column 9`. The text is not valid JSON. */
export function jsonProblem(text: string): string {
  const end = validLength(text);
  const before = text.slice(0, end).split('\n');
  const found = end === text.length ? 'the text ends too early' : `unexpected ${JSON.stringify(text[end])}`;
  return `${found} at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

/** How many characters of the text some JSON could start with. Error messages of `JSON.parse` do not always say it. */
function validLength(text: string): number {
  let [valid, invalid] = [0, text.length + 1];
  while (valid + 1 < invalid) {
    const middle = Math.floor((valid + invalid) / 2);
    if (canContinue(text.slice(0, middle))) valid = middle;
    else invalid = middle;
  }
  return valid;
}

/** Whether a text is JSON, or becomes JSON with more characters: its error is at its end. */
function canContinue(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    const [, position] = / at position (\d+)/.exec(message) ?? [];
    return message.startsWith('Unexpected end') || Number(position) === text.length;
  }
}
