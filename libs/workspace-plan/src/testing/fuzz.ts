/**
 * Compiles generated workspaces, and recorded workspaces with random corruptions: `node dist/testing/fuzz.js [seconds]
 * [seed]`. Prints the counterexample and exits with code 1 when a compile throws, takes longer than a second, or gives
 * different results for the same input.
 */
import { deepStrictEqual } from 'node:assert';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type CompileInput, compileWorkspace } from '../index.ts';
import { document, manifest, workspace, yaml } from './arbitraries.ts';

const SLOW_MS = 1000;
const [seconds = '60', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2);

type Insertion = readonly [at: number, what: string, times: number];

/**
 * Snippets with a meaning in YAML or in our formats. They are inserted anywhere, sometimes many times, to find
 * quadratic behaviour.
 */
const SNIPPETS = [
  '\n',
  ' ',
  '\t',
  ':',
  '- ',
  '[',
  '{',
  '"',
  "'",
  '&a ',
  '*a',
  '<<: ',
  '|',
  '\0',
  '---\n',
  '{env:',
  '://',
  '@',
  '.',
  '/',
  '#',
];
const insertionLists: fc.Arbitrary<readonly Insertion[]> = fc.array(
  fc.tuple(
    fc.nat(2000),
    fc.constantFrom(...SNIPPETS),
    fc.oneof({ weight: 20, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat(50_000) }),
  ),
  { maxLength: 4 },
);

function corrupt(text: string, insertions: readonly Insertion[]): string {
  return insertions.reduce((all, [at, what, times]) => {
    const position = at % (all.length + 1);
    return all.slice(0, position) + what.repeat(times) + all.slice(position);
  }, text);
}

const fromFile: fc.Arbitrary<CompileInput> = fc
  .record({ text: yaml(workspace), app: yaml(manifest), insertions: insertionLists, appInsertions: insertionLists })
  .map(({ text, app, insertions, appInsertions }) => ({
    workspaceId: 'ws',
    workspaceYaml: corrupt(text, insertions),
    references: { 'AGENTS.md': 'P', a: corrupt(app, appInsertions), 'apps/a.yaml': app },
  }));

const fromInventory: fc.Arbitrary<CompileInput> = fc
  .record({ documents: fc.array(yaml(document), { maxLength: 6 }), insertions: insertionLists })
  .map(({ documents, insertions }) => ({
    workspaceId: 'ws',
    workspaceYaml: null,
    references: {},
    files: Object.fromEntries(
      documents.map((each, i) => [`config/${i}.yaml`, i === 0 ? corrupt(each, insertions) : each]),
    ),
  }));

interface RecordedInput {
  readonly workspace_yaml: string;
  readonly references: Record<string, string>;
}

const recorded = readFileSync(new URL('../../testdata/compile-cases-open.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => (JSON.parse(line) as { input: RecordedInput }).input);

const fromRecorded: fc.Arbitrary<CompileInput> = fc
  .record({ input: fc.constantFrom(...recorded), insertions: insertionLists, fileInsertions: insertionLists })
  .map(({ input, insertions, fileInsertions }) => ({
    workspaceId: 'ws',
    workspaceYaml: corrupt(input.workspace_yaml, insertions),
    references: Object.fromEntries(
      Object.entries(input.references).map(([path, text]) => [path, corrupt(text, fileInsertions)]),
    ),
  }));

const stats = { seed: Number(seed), seconds: Number(seconds), compiled: 0, accepted: 0, slowest_ms: 0 };

function isConsistent(input: CompileInput): boolean {
  const cpuBefore = process.cpuUsage(); // CPU time, so that other load on the machine does not count
  const first = compileWorkspace(input);
  const { user, system } = process.cpuUsage(cpuBefore);
  const elapsedMs = (user + system) / 1000;
  stats.compiled += 1;
  if (first.ok) stats.accepted += 1;
  stats.slowest_ms = Math.max(stats.slowest_ms, Math.round(elapsedMs));
  deepStrictEqual(compileWorkspace(input), first);
  return elapsedMs < SLOW_MS && first.ok === (first.counts.error === 0);
}

const input = fc.oneof(
  { weight: 3, arbitrary: fromFile },
  { weight: 1, arbitrary: fromInventory },
  { weight: 3, arbitrary: fromRecorded },
);
const result = fc.check(fc.property(input, isConsistent), {
  numRuns: Number.MAX_SAFE_INTEGER,
  interruptAfterTimeLimit: stats.seconds * 1000,
  seed: stats.seed,
  markInterruptAsFailure: false,
});
process.stdout.write(`${JSON.stringify(stats)}\n`);
if (result.failed) {
  process.stderr.write(`${fc.defaultReportMessage(result)}\n`);
  process.exitCode = 1;
}
