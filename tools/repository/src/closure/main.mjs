import { readdirSync } from 'node:fs';
import { productionClosure } from './closure.mjs';

/**
 * `npm run closure [-- <folder>]`: the production closure of each service and of the command line, or every package of one.
 */
const given = process.argv.slice(2);
const folders = given.length > 0 ? given : [...readdirSync('services').map((name) => `services/${name}`), 'tools/cli'];
for (const folder of folders) {
  const { packages, siblings, bytes } = productionClosure('.', folder);
  const cells = [
    folder.padEnd(24),
    `${packages.length} packages`.padStart(13),
    `${(bytes / 1e6).toFixed(1)} MB`.padStart(10),
    `and ${siblings.length} of Reins`.padStart(16),
  ];
  console.log(cells.join(''));
  if (given.length > 0) for (const each of [...siblings, ...packages]) console.log(`  ${each}`);
}
