/**
 * Records the journals of the corpus under a new version: `node --conditions=reins-source src/testing/record-corpus.ts
 * v2`. Existing journals are never recorded again, because they are what earlier builds wrote.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORPUS } from './corpus.ts';

const [version] = process.argv.slice(2);
if (!version) throw new Error('the version is missing: record-corpus.ts <version>');
const folder = join(import.meta.dirname, '..', '..', 'testdata', 'journals', version);
mkdirSync(folder, { recursive: true });
for (const [name, { record }] of Object.entries(CORPUS)) {
  const path = join(folder, `${name}.json`);
  if (!record || existsSync(path)) continue;
  const { entries } = await record();
  writeFileSync(path, `${JSON.stringify(entries, null, 1)}\n`);
}
