import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countByFolder, findInRepository } from './count.mjs';

/**
 * `npm run words`: counts the uses of banned words by folder.
 * `npm run words -- <path> …`: lists each use below the paths. `npm run words -- --write`: writes the current counts to ratchet.json.
 */
const prefixes = process.argv.slice(2).filter((argument) => argument !== '--write');
const found = findInRepository(join(import.meta.dirname, '../../../..'), prefixes.length > 0 ? prefixes : undefined);
if (prefixes.length > 0)
  for (const { file, line, word, say } of found) console.log(`${file}:${line}: "${word}" (say: ${say})`);
const counts = countByFolder(found);
for (const [folder, count] of Object.entries(counts)) console.log(`${String(count).padStart(6)}  ${folder}`);
if (process.argv.includes('--write'))
  writeFileSync(join(import.meta.dirname, 'ratchet.json'), `${JSON.stringify(counts, null, 2)}\n`);
