import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStream, streamJournalStore } from '@reins/journal';
import { LocalRun } from '@reins/replay';
import { Sandbox } from '@reins/sandbox';

/** Measures a sandbox child: the time of its start, and of one turn. Medians; `--json` prints one JSON document. */
const [rounds, turns] = [20, 300];
const root = mkdtempSync(join(tmpdir(), 'reins-bench-'));
writeFileSync(
  join(root, 'main.mjs'),
  `export async function process({ turns }, ctx) {
     let text = '';
     for (let i = 0; i < turns; i += 1) {
       await ctx.task({ id: 't', build: (n) => ({ kind: 'node', title: 'Task ' + n }) }, i);
       text = text.replace(/\\d+/g, '') + JSON.stringify([...new Map([[i, { i }]])].map(([n]) => n)) ;
     }
     return text.length;
   }`,
);
const median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];

async function run(turns) {
  const sandbox = new Sandbox();
  const definition = await sandbox.process({ root, path: 'main.mjs' });
  const options = {
    store: streamJournalStore(memoryStream()),
    run: { workspaceId: 'local', runId: 'bench' },
    definition,
  };
  const begun = performance.now();
  const local = await LocalRun.create(options, { inputs: { turns } });
  const started = performance.now();
  for (let i = 0; i < turns; i += 1) await local.post(local.pending[0].effectId, { status: 'ok', value: i });
  const ended = performance.now();
  await local.close();
  await sandbox.close();
  return { start: started - begun, turn: turns === 0 ? 0 : (ended - started) / turns };
}

const starts = [];
for (let i = 0; i < rounds; i += 1) starts.push((await run(0)).start);
const each = [];
for (let i = 0; i < 3; i += 1) each.push((await run(turns)).turn);
rmSync(root, { recursive: true });
const result = { start_ms: median(starts), best_start_ms: Math.min(...starts), turn_ms: median(each) };
if (process.argv.includes('--json')) console.log(JSON.stringify(result));
else console.dir(result);
