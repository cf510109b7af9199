/**
 * `npm run generate` writes all files that are generated from proto/. `--check` writes nothing, and fails when a
 * committed file differs from its generated content.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { BODIES, BUF, PROTO, ROOT } from './contract-files.ts';
import { readContract } from './read-contract.ts';
import { writeAsyncapi } from './write-asyncapi.ts';
import { writeBodies } from './write-bodies.ts';
import { writeCatalogue } from './write-catalogue.ts';
import { writeDocs } from './write-docs.ts';
import { writeSchema } from './write-schema.ts';
import { writeTypes } from './write-types.ts';
import { writeValidators } from './write-validators.ts';

const check = process.argv.includes('--check');

execFileSync(BUF, ['lint'], { cwd: PROTO, stdio: 'inherit' });
const contract = readContract(PROTO, BUF);
const outputs: Record<string, string> = {
  'libs/contracts/src/generated/types.ts': writeTypes(contract),
  'libs/contracts/src/generated/validators.ts': writeValidators(contract),
  'libs/contracts/src/generated/catalogue.ts': writeCatalogue(contract),
  'docs/events.schema.json': writeSchema(contract),
  'docs/events.md': writeDocs(contract),
  'docs/asyncapi.json': writeAsyncapi(contract),
  ...newBodies(),
};

const stale = Object.entries(outputs).filter(([path, text]) => !upToDate(join(ROOT, path), text));
for (const [path, text] of check ? [] : stale) {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true });
  writeFileSync(join(ROOT, path), text);
}
for (const [path] of stale) console.log(`${check ? 'stale' : 'written'}: ${relative(ROOT, join(ROOT, path))}`);
if (stale.length === 0) console.log(`${Object.keys(outputs).length} files are up to date with proto/`);
if (check && stale.length > 0) process.exit(1);

function upToDate(path: string, text: string): boolean {
  try {
    return readFileSync(path, 'utf8') === text;
  } catch {
    return false;
  }
}

/** Example bodies of types that have none yet. Existing bodies never change: they represent old event logs. */
function newBodies(): Record<string, string> {
  const bodies = [...writeBodies(contract)].map(([type, body]) => [join(BODIES, `${type}.json`), body] as const);
  const missing = bodies.filter(([path]) => !existsSync(path));
  return Object.fromEntries(
    missing.map(([path, body]) => [relative(ROOT, path), `${JSON.stringify(body, null, 2)}\n`]),
  );
}
