/**
 * Compiles generated workspaces for a while: `node dist/testing/fuzz.js [seconds] [seed]`. Ends with exit code 1 and the
 * counterexample as soon as a compile throws, takes longer than a second, or tells two things about one input.
 */
import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { type CompileInput, compileWorkspace } from '../index.ts';
import { document, manifest, workspace, yaml } from './arbitraries.ts';

const SLOW_MS = 1000;
const [seconds = '60', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2);

type Hit = readonly [at: number, what: string];

/** What YAML gives a meaning to, put in anywhere. */
const hits: fc.Arbitrary<readonly Hit[]> = fc.array(
  fc.tuple(
    fc.nat(2000),
    fc.constantFrom('\n', ' ', '\t', ':', '- ', '[', '{', '"', "'", '&a ', '*a', '<<: ', '|', '\0', '---\n'),
  ),
  { maxLength: 4 },
);

function damaged(text: string, damage: readonly Hit[]): string {
  return damage.reduce((all, [at, what]) => {
    const place = at % (all.length + 1);
    return all.slice(0, place) + what + all.slice(place);
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

const input = fc.oneof({ weight: 3, arbitrary: fromFile }, { weight: 1, arbitrary: fromInventory });
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
