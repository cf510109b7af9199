import { readdirSync } from 'node:fs';
import { productionClosure } from './closure.mjs';

/** `npm run closure`: the production closure of each service and of the command line. `-- services/gateway` lists one. */
const given = process.argv.slice(2);
const folders = given.length > 0 ? given : [...readdirSync('services').map((name) => `services/${name}`), 'tools/cli'];
for (const folder of folders) {
  const { packages, siblings, bytes } = productionClosure('.', folder);
  console.log(
    `${folder.padEnd(24)} ${String(packages.length).padStart(4)} packages ${(bytes / 1e6).toFixed(1).padStart(7)} MB ${String(siblings.length).padStart(3)} of ours`,
  );
  if (given.length > 0) for (const each of [...siblings, ...packages]) console.log(`  ${each}`);
}
