/**
 * Records the journals of the pipeline that new requests take: `node --conditions=reins-source
 * src/testing/record-pipelines.ts pipeline-2`. Existing journals are never recorded again.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PIPELINE_CORPUS } from './pipeline-corpus.ts';
import { SimulatedRun } from './simulated-run.ts';

const [version] = process.argv.slice(2);
if (!version) throw new Error('the version is missing: record-pipelines.ts <version>');
const folder = join(import.meta.dirname, '..', '..', 'testdata', 'journals', version);
mkdirSync(folder, { recursive: true });
for (const [name, drive] of Object.entries(PIPELINE_CORPUS)) {
  const path = join(folder, `${name}.json`);
  if (existsSync(path)) continue;
  const run = new SimulatedRun();
  await drive(run);
  writeFileSync(path, `${JSON.stringify(await run.entries(), null, 1)}\n`);
}
