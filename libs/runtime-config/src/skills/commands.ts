/** A command of a workspace, `commands/<id>.md`. */
export interface WorkspaceCommand {
  readonly id: string;
  readonly location: string;
  readonly text: string;
}

/** A command that an instruction invokes, with the words after its name. */
export interface InvokedCommand {
  readonly command: WorkspaceCommand;
  readonly words: string;
}

/** A line that starts with a slash and a word, such as `/deploy` and `/deploy to staging`. */
const SLASH_LINE = /^\/([A-Za-z0-9_-]+)(?:[ \t]+(.*))?$/;

/** The word after the slash, and the words after it. Undefined: the line has another form. */
export function slashLine(line: string): { readonly id: string; readonly words: string } | undefined {
  const [, id, words = ''] = SLASH_LINE.exec(line.trim()) ?? [];
  return id === undefined ? undefined : { id, words };
}

/** The words after a slash at the start of an instruction, whether they name skills, commands or nothing. */
export function leadingSlashWords(instruction: string): readonly string[] {
  const words: string[] = [];
  for (const line of instruction.split(/\r\n?|\n/)) {
    const id = slashLine(line)?.id;
    if (id === undefined) break;
    words.push(id);
  }
  return words;
}

/** Finds a command by the word after a slash, ignoring case. */
export function findCommand(word: string, commands: readonly WorkspaceCommand[]): WorkspaceCommand | undefined {
  return commands.find(({ id }) => id.toLowerCase() === word.toLowerCase());
}

/** The text of an invoked command for an executor. */
export function commandBlock({ command: { id, location, text }, words }: InvokedCommand): string {
  const given = words === '' ? [] : [`The user adds: ${words}`, ''];
  return [`<command name="${id}" location="${location}">`, ...given, text.trim(), '</command>'].join('\n');
}
