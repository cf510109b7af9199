/**
 * `npm run generate`: everything that follows from proto/. `--check` writes nothing and fails when a committed file is not
 * what would be written.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { readContract } from './read-contract.ts';
import { writeCatalogue } from './write-catalogue.ts';
import { writeDocs } from './write-docs.ts';
import { writeSchema } from './write-schema.ts';
import { writeTypes } from './write-types.ts';
import { writeValidators } from './write-validators.ts';

const root = join(import.meta.dirname, '../../..');
const bufPackage = dirname(createRequire(import.meta.url).resolve('@bufbuild/buf/package.json'));
const buf = join(bufPackage, 'bin/buf');
const check = process.argv.includes('--check');

execFileSync(buf, ['lint'], { cwd: join(root, 'proto'), stdio: 'inherit' });
const contract = readContract(join(root, 'proto'), buf);
const outputs: Record<string, string> = {
  'libs/contracts/src/generated/types.ts': writeTypes(contract),
  'libs/contracts/src/generated/validators.ts': writeValidators(contract),
  'libs/contracts/src/generated/catalogue.ts': writeCatalogue(contract),
  'docs/events.schema.json': writeSchema(contract),
  'docs/events.md': writeDocs(contract),
};

const stale = Object.entries(outputs).filter(([path, text]) => !upToDate(join(root, path), text));
for (const [path, text] of check ? [] : stale) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
for (const [path] of stale) console.log(`${check ? 'stale' : 'written'}: ${relative(root, join(root, path))}`);
if (stale.length === 0) console.log(`${Object.keys(outputs).length} files are up to date with proto/`);
if (check && stale.length > 0) process.exit(1);

function upToDate(path: string, text: string): boolean {
  try {
    return readFileSync(path, 'utf8') === text;
  } catch {
    return false;
  }
}
