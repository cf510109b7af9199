import { constants } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JsonObject } from '@reins/contracts';
import { confinedPath } from '../../files/confined-path.ts';
import type { ChatTool } from './protocol.ts';

/** A tool of our own that the model may call. Throws with a message for the model. */
export interface FileTool {
  readonly name: string;
  readonly declaration: ChatTool;
  run(workDir: string, args: JsonObject): Promise<string>;
}

const MAX_READ_BYTES = 256 * 1024;
const MAX_WRITE_BYTES = 8 * 1024 * 1024;
const MAX_ENTRIES = 1000;

const text = (description: string): JsonObject => ({ type: 'string', description });

const PATH = text('Path of the file, relative to the working folder.');

/** Reading and writing in the stage's folder, and nowhere else. */
export const FILE_TOOLS: readonly FileTool[] = [
  tool('read', 'Reads a text file.', { path: PATH }, ['path'], async (workDir, args) => {
    const file = await openFile(workDir, required(args, 'path'), constants.O_RDONLY);
    await using _ = file;
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(MAX_READ_BYTES + 1) });
    if (bytesRead <= MAX_READ_BYTES) return buffer.toString('utf8', 0, bytesRead);
    return `${buffer.toString('utf8', 0, MAX_READ_BYTES)}\n(cut after ${MAX_READ_BYTES} bytes)`;
  }),
  tool(
    'write',
    'Writes a whole text file; folders on the way are made.',
    { path: PATH, content: text('All of the text.') },
    ['path', 'content'],
    async (workDir, args) => {
      const path = required(args, 'path');
      const bytes = await writeFile(workDir, path, required(args, 'content'));
      return `wrote ${bytes} bytes to ${path}`;
    },
  ),
  tool(
    'edit',
    'Replaces one piece of a text file.',
    {
      path: PATH,
      oldText: text('The piece, exactly as it stands there once.'),
      newText: text('What takes its place.'),
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
      if (found !== 1) throw new Error(`oldText stands ${found} times in ${path}; it must stand there exactly once`);
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
    { path: text('Path of the folder; the working folder itself when left out.') },
    [],
    async (workDir, args) => {
      const folder = await confinedPath(workDir, typeof args.path === 'string' && args.path !== '' ? args.path : '.');
      const entries = await readdir(folder, { withFileTypes: true });
      const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
      const more = names.length > MAX_ENTRIES ? [`(and ${names.length - MAX_ENTRIES} more)`] : [];
      return [...names.slice(0, MAX_ENTRIES), ...more].join('\n') || '(empty)';
    },
  ),
];

function tool(
  name: string,
  description: string,
  properties: JsonObject,
  needed: readonly string[],
  run: FileTool['run'],
): FileTool {
  const parameters = { type: 'object', properties, required: needed, additionalProperties: false };
  return { name, declaration: { type: 'function', function: { name, description, parameters } }, run };
}

function required(args: JsonObject, name: string): string {
  const value = args[name];
  if (typeof value !== 'string') throw new Error(`the argument ${name} is missing or no text`);
  return value;
}

/** The last step of the path is opened as what it is: a link that was put there since is not followed. */
async function openFile(workDir: string, path: string, flags: number) {
  return open(await confinedPath(workDir, path), flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o644);
}

async function readWhole(workDir: string, path: string): Promise<string> {
  await using file = await openFile(workDir, path, constants.O_RDONLY);
  const { size } = await file.stat();
  if (size > MAX_WRITE_BYTES) throw new Error(`${path} is larger than ${MAX_WRITE_BYTES} bytes`);
  return file.readFile('utf8');
}

async function writeFile(workDir: string, path: string, content: string): Promise<number> {
  const bytes = Buffer.from(content, 'utf8');
  if (bytes.length > MAX_WRITE_BYTES) throw new Error(`a file may have at most ${MAX_WRITE_BYTES} bytes`);
  const target = await confinedPath(workDir, path);
  await mkdir(dirname(target), { recursive: true });
  await using file = await openFile(workDir, path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC);
  await file.writeFile(bytes);
  return bytes.length;
}
