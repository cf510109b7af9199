import { basename, relative } from 'node:path';

/**
 * How the user calls this program: `npx reins` (also after `npm start`), `node` with the path of the script, or
 * `reins`.
 * @param script the path of the script that runs
 */
export function typedCommand(env: Readonly<Record<string, string | undefined>>, script?: string): string {
  if (env.npm_command === 'exec' || env.npm_lifecycle_event === 'start') return 'npx reins';
  if (script === undefined || basename(script) !== 'reins.mjs') return 'reins';
  const path = relative(process.cwd(), script);
  return `node ${path.length < script.length ? path : script}`;
}

/**
 * Writes the commands in a text as the user types them. A command is at the start of a line, in backticks, or after a
 * colon, and starts with `reins` and the name of a command.
 */
export function withTypedCommands(text: string, typed: string, names: readonly string[]): string {
  if (typed === 'reins' || !text.includes('reins ')) return text;
  const command = new RegExp(`(?<=^[ \\t]*|\`|: )reins(?= (?:${names.join('|')})(?![\\w-]))`, 'gm');
  return text.replace(command, typed);
}
