/**
 * Compiles generated workspaces and damaged recorded ones for a while: `node dist/testing/fuzz.js [seconds] [seed]`. Ends with exit code 1 and the
 * counterexample as soon as a compile throws, takes longer than a second, or tells two things about one input.
 */
import { deepStrictEqual } from 'node:assert';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type CompileInput, compileWorkspace } from '../index.ts';
import { document, manifest, workspace, yaml } from './arbitraries.ts';

const SLOW_MS = 1000;
const [seconds = '60', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2);

type Hit = readonly [at: number, what: string, times: number];

/** What YAML and its readers give a meaning to, put in anywhere, sometimes very often: what is quadratic shows then. */
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
const hits: fc.Arbitrary<readonly Hit[]> = fc.array(
  fc.tuple(
    fc.nat(2000),
    fc.constantFrom(...SNIPPETS),
    fc.oneof({ weight: 20, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat(50_000) }),
  ),
  { maxLength: 4 },
);

function damaged(text: string, damage: readonly Hit[]): string {
  return damage.reduce((all, [at, what, times]) => {
    const place = at % (all.length + 1);
    return all.slice(0, place) + what.repeat(times) + all.slice(place);
  }, text);
}

const fromFile: fc.Arbitrary<CompileInput> = fc
  .record({ text: yaml(workspace), app: yaml(manifest), damage: hits, appDamage: hits })
  .map(({ text, app, damage, appDamage }) => ({
    workspaceId: 'ws',
    workspaceYaml: damaged(text, damage),
    references: { 'AGENTS.md': 'P', a: damaged(app, appDamage), 'apps/a.yaml': app },
  }));

const fromInventory: fc.Arbitrary<CompileInput> = fc
  .record({ documents: fc.array(yaml(document), { maxLength: 6 }), damage: hits })
  .map(({ documents, damage }) => ({
    workspaceId: 'ws',
    workspaceYaml: null,
    references: {},
    files: Object.fromEntries(documents.map((each, i) => [`config/${i}.yaml`, i === 0 ? damaged(each, damage) : each])),
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
  .record({ input: fc.constantFrom(...recorded), damage: hits, fileDamage: hits })
  .map(({ input, damage, fileDamage }) => ({
    workspaceId: 'ws',
    workspaceYaml: damaged(input.workspace_yaml, damage),
    references: Object.fromEntries(
      Object.entries(input.references).map(([path, text]) => [path, damaged(text, fileDamage)]),
    ),
  }));

const told = { seed: Number(seed), seconds: Number(seconds), compiled: 0, accepted: 0, slowest_ms: 0 };

function holds(input: CompileInput): boolean {
  const began = process.cpuUsage(); // not the clock: whatever else the machine does is not our time
  const first = compileWorkspace(input);
  const { user, system } = process.cpuUsage(began);
  const took = (user + system) / 1000;
  told.compiled += 1;
  if (first.ok) told.accepted += 1;
  told.slowest_ms = Math.max(told.slowest_ms, Math.round(took));
  deepStrictEqual(compileWorkspace(input), first);
  return took < SLOW_MS && first.ok === (first.counts.error === 0);
}

const input = fc.oneof(
  { weight: 3, arbitrary: fromFile },
  { weight: 1, arbitrary: fromInventory },
  { weight: 3, arbitrary: fromRecorded },
);
const result = fc.check(fc.property(input, holds), {
  numRuns: Number.MAX_SAFE_INTEGER,
  interruptAfterTimeLimit: told.seconds * 1000,
  seed: told.seed,
  markInterruptAsFailure: false,
});
process.stdout.write(`${JSON.stringify(told)}\n`);
if (result.failed) {
  process.stderr.write(`${fc.defaultReportMessage(result)}\n`);
  process.exitCode = 1;
}
