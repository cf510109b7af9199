/** A part of a word: in single quotes, in double quotes, escaped, or plain. */
const PART = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/y;

/**
 * The script of a command of the form `<shell> -c <script>`, without its quotes. Another command is returned unchanged.
 */
export function scriptOf(command: string): string {
  const words = shellWords(command);
  return words.length === 3 && /^-l?c$/.test(words[1] ?? '') ? (words[2] as string) : command;
}

/** The words of a command line, without their quotes. */
export function shellWords(command: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < command.length; ) {
    PART.lastIndex = at;
    const part = PART.exec(command);
    if (part === null) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
      continue;
    }
    const [text, single, double, escaped, plain] = part;
    word = (word ?? '') + (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? '');
    at += text.length;
  }
  if (word !== undefined) words.push(word);
  return words;
}
