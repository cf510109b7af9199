/**
 * Compiles generated workspaces for a while: `node bench/fuzz.mjs [seconds] [seed]`. Ends with exit code 1 and the
 * counterexample as soon as a compile throws, takes longer than a second, or tells two things about one input.
 */
import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { compileWorkspace } from '../dist/index.js';
import { document, manifest, workspace, yaml } from '../dist/testing/arbitraries.js';

const SLOW_MS = 1000;
const [seconds = '60', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2);

/** Damages a text: cuts, repeats and inserts what YAML gives a meaning to. */
const damage = fc.array(
  fc.tuple(
    fc.nat(2000),
    fc.constantFrom('\n', ' ', '\t', ':', '- ', '[', '{', '"', "'", '&a ', '*a', '<<: ', '|', '\0', '---\n'),
  ),
  { maxLength: 4 },
);
const damaged = (text, hits) =>
  hits.reduce((all, [at, what]) => all.slice(0, at % (all.length + 1)) + what + all.slice(at % (all.length + 1)), text);

const file = fc
  .record({ workspaceYaml: yaml(workspace), app: yaml(manifest), hits: damage, appHits: damage })
  .map(({ workspaceYaml, app, hits, appHits }) => ({
    workspaceId: 'ws',
    workspaceYaml: damaged(workspaceYaml, hits),
    references: { 'AGENTS.md': 'P', a: damaged(app, appHits), 'apps/a.yaml': app },
  }));
const inventory = fc
  .record({ documents: fc.array(yaml(document), { maxLength: 6 }), hits: damage })
  .map(({ documents, hits }) => ({
    workspaceId: 'ws',
    workspaceYaml: null,
    references: {},
    files: Object.fromEntries(documents.map((each, i) => [`config/${i}.yaml`, i === 0 ? damaged(each, hits) : each])),
  }));

let compiled = 0;
let accepted = 0;
let slowest = 0;
const result = fc.check(
  fc.property(fc.oneof({ weight: 3, arbitrary: file }, { weight: 1, arbitrary: inventory }), (input) => {
    const began = performance.now();
    const first = compileWorkspace(input);
    const took = performance.now() - began;
    compiled += 1;
    if (first.ok) accepted += 1;
    slowest = Math.max(slowest, took);
    deepStrictEqual(compileWorkspace(input), first);
    return took < SLOW_MS && first.ok === (first.counts.error === 0);
  }),
  {
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: Number(seconds) * 1000,
    seed: Number(seed),
    markInterruptAsFailure: false,
  },
);
console.log(
  JSON.stringify({ seed: Number(seed), seconds: Number(seconds), compiled, accepted, slowest_ms: Math.round(slowest) }),
);
if (result.failed) {
  console.error(fc.defaultReportMessage(result));
  process.exitCode = 1;
}
