import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Prepares a virtual environment of Python for its move to another folder: its programs name their interpreter by its
 * absolute path.
 */
export async function relocateEnvironment(folder: string, finalFolder: string): Promise<void> {
  const bin = join(folder, 'bin');
  const files = (await readdir(bin, { withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = [join(folder, 'pyvenv.cfg'), ...files.map(({ name }) => join(bin, name))];
  const [from, to] = [bytesOf(folder), bytesOf(finalFolder)];
  await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(path, 'latin1');
      if (text.includes(from)) await writeFile(path, text.replaceAll(from, to), 'latin1');
    }),
  );
}

/** The bytes of a text, one in each character. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');
