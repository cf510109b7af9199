import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CODE = /(?<!\.d|\.spec)\.[jt]s$/;

/**
 * Identifies the compiler by a hash of its code, of the code of this service, of the parsers' versions and of the
 * prices of models (`pricesVersion`). A manually maintained version number could be forgotten, and a stored answer of
 * an older compiler would then be used.
 */
export async function compilerVersion(prices: string): Promise<string> {
  const compiler = fileURLToPath(import.meta.resolve('@reins/workspace-plan'));
  const hash = createHash('sha256').update(prices);
  for (const parser of ['js-yaml', 'js-yaml-5', 'yaml'])
    hash.update((createRequire(compiler)(`${parser}/package.json`) as { readonly version: string }).version);
  for (const folder of [dirname(compiler), dirname(fileURLToPath(import.meta.url))]) {
    const files = (await readdir(folder, { recursive: true })).filter((file) => CODE.test(file)).sort();
    for (const bytes of await Promise.all(files.map((file) => readFile(join(folder, file))))) hash.update(bytes);
  }
  return hash.digest('hex');
}
