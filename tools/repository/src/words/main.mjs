import { join } from 'node:path';
import { findInRepository, folderOf } from './count.mjs';

/** `npm run words [-- <path> …]`: lists every use of a word that the project does not use, and counts them by folder. */
const prefixes = process.argv.slice(2);
const found = findInRepository(join(import.meta.dirname, '../../../..'), prefixes.length > 0 ? prefixes : undefined);
if (prefixes.length > 0)
  for (const { file, line, word, say } of found) console.log(`${file}:${line}: "${word}" (say: ${say})`);
for (const [folder, uses] of Object.entries(Object.groupBy(found, ({ file }) => folderOf(file)))) {
  console.log(`${String(uses.length).padStart(6)}  ${folder}`);
}
