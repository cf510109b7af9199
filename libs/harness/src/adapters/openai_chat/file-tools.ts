import type { JsonObject } from '@reins/contracts';
import { ConfinedFile } from '../../files/confined-file.ts';
import type { ChatTool } from './protocol.ts';

/** A built-in tool that the model may call. `run` throws an error with a message for the model. */
export interface FileTool {
  readonly name: string;
  readonly declaration: ChatTool;
  run(workDir: string, args: JsonObject): Promise<string>;
}

const MAX_READ_BYTES = 256 * 1024;
const MAX_WRITE_BYTES = 8 * 1024 * 1024;
const MAX_ENTRIES = 1000;

const text = (description: string): JsonObject => ({ type: 'string', description });

const PATH = text('Path of the file, relative to the working directory.');

/** The tools for files in the stage's folder. They cannot access other folders. */
export const FILE_TOOLS: readonly FileTool[] = [
  tool('read', 'Reads a text file.', { path: PATH }, ['path'], async (workDir, args) => {
    await using file = await (await ConfinedFile.resolve(workDir, required(args, 'path'))).openToRead();
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(MAX_READ_BYTES + 1) });
    if (bytesRead <= MAX_READ_BYTES) return buffer.toString('utf8', 0, bytesRead);
    return `${buffer.toString('utf8', 0, MAX_READ_BYTES)}\n(truncated after ${MAX_READ_BYTES} bytes)`;
  }),
  tool(
    'write',
    'Writes a whole text file and creates missing folders.',
    { path: PATH, content: text('The complete content of the file.') },
    ['path', 'content'],
    async (workDir, args) => {
      const path = required(args, 'path');
      const bytes = await writeFile(workDir, path, required(args, 'content'));
      return `wrote ${bytes} bytes to ${path}`;
    },
  ),
  tool(
    'edit',
    'Replaces one passage of a text file.',
    {
      path: PATH,
      oldText: text('The text to replace. It must occur exactly once.'),
      newText: text('The replacement.'),
    },
    ['path', 'oldText', 'newText'],
    async (workDir, args) => {
      const path = required(args, 'path');
      const [before, oldText, newText] = [
        await readWhole(workDir, path),
        required(args, 'oldText'),
        required(args, 'newText'),
      ];
      const found = oldText === '' ? 0 : before.split(oldText).length - 1;
      if (found !== 1) throw new Error(`oldText occurs ${found} times in ${path}; it must occur exactly once`);
      await writeFile(
        workDir,
        path,
        before.replace(oldText, () => newText),
      );
      return `edited ${path}`;
    },
  ),
  tool(
    'list',
    'Lists a folder.',
    { path: text('Path of the folder. Defaults to the working directory.') },
    [],
    async (workDir, args) => {
      const path = typeof args.path === 'string' && args.path !== '' ? args.path : '.';
      const names = (await (await ConfinedFile.resolve(workDir, path)).list()).sort();
      const more = names.length > MAX_ENTRIES ? [`(and ${names.length - MAX_ENTRIES} more)`] : [];
      return [...names.slice(0, MAX_ENTRIES), ...more].join('\n') || '(empty)';
    },
  ),
];

function tool(
  name: string,
  description: string,
  properties: JsonObject,
  requiredArgs: readonly string[],
  run: FileTool['run'],
): FileTool {
  const parameters = { type: 'object', properties, required: requiredArgs, additionalProperties: false };
  return { name, declaration: { type: 'function', function: { name, description, parameters } }, run };
}

function required(args: JsonObject, name: string): string {
  const value = args[name];
  if (typeof value !== 'string') throw new Error(`the argument ${name} must be a string`);
  return value;
}

async function readWhole(workDir: string, path: string): Promise<string> {
  await using file = await (await ConfinedFile.resolve(workDir, path)).openToRead();
  const { size } = await file.stat();
  if (size > MAX_WRITE_BYTES) throw new Error(`${path} is larger than ${MAX_WRITE_BYTES} bytes`);
  return await file.readFile('utf8');
}

async function writeFile(workDir: string, path: string, content: string): Promise<number> {
  const bytes = Buffer.from(content, 'utf8');
  if (bytes.length > MAX_WRITE_BYTES) throw new Error(`a file may have at most ${MAX_WRITE_BYTES} bytes`);
  await (await ConfinedFile.resolve(workDir, path)).write(bytes);
  return bytes.length;
}
