/**
 * `npm run bench`: lists the benchmarks. `npm run bench -- <name> … [--peers] [--json]`: runs them, each in its own process, and prints the
 * machine and the results. `--peers`: compares with other engines, which are installed first. Exit code 1 when a benchmark fails, 2 for an
 * unknown name.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { BENCHMARKS, type Benchmark } from './benchmarks.ts';
import { linesOf } from './lines.ts';
import { machine } from './machine.ts';
import { installPeers } from './peers.ts';

/** The repository root: npm runs scripts there. */
const ROOT = process.cwd();

const args = process.argv.slice(2);
const json = args.includes('--json');
const peers = args.includes('--peers');
const names = args.filter((arg) => arg !== '--json' && arg !== '--peers');
const offered = peers ? BENCHMARKS.flatMap(withPeers) : BENCHMARKS;
const unknown = names.filter((name) => !offered.some((each) => each.name === name));
if (unknown.length > 0) {
  console.error(
    `unknown benchmark ${unknown.join(', ')}${peers ? ' with --peers' : ''}; use ${offered.map(({ name }) => name).join(', ')}`,
  );
  process.exitCode = 2;
} else if (names.length === 0) list();
else {
  if (peers) await installPeers(ROOT, (line) => console.error(line));
  process.exitCode = await runAll(offered.filter(({ name }) => names.includes(name)));
}

/** The comparison with peers of the same name, if there is one. It starts a process for each contestant. */
function withPeers({ name, measures, peers }: Benchmark): Benchmark[] {
  return peers === undefined ? [] : [{ name, measures: `${measures}; here with peers`, module: peers }];
}

function list(): void {
  if (json) {
    console.log(JSON.stringify(offered, null, 2));
    return;
  }
  const width = Math.max(...offered.map(({ name }) => name.length));
  for (const { name, measures } of offered) console.log(`${name.padEnd(width)}  ${measures}`);
  console.log('\nnpm run bench -- <name> … [--peers] [--json]');
}

async function runAll(benchmarks: readonly Benchmark[]): Promise<number> {
  const on = machine();
  if (!json)
    console.log(
      `${on.cpu}, ${on.cores} cores, ${on.memoryGiB} GiB; ${on.system}; node ${on.node}; load ${on.load.toFixed(1)}`,
    );
  const results: Record<string, unknown> = {};
  let failed = false;
  for (const benchmark of benchmarks) {
    const { code, result } = await runOne(benchmark);
    failed ||= code !== 0;
    results[benchmark.name] = result ?? { error: `exited with code ${code} without a result` };
    if (!json)
      console.log(`\n${benchmark.name}: ${benchmark.measures}\n  ${linesOf(results[benchmark.name]).join('\n  ')}`);
  }
  if (json) console.log(JSON.stringify({ machine: on, benchmarks: results }, null, 2));
  return failed ? 1 : 0;
}

/** Runs a benchmark in its own process, so that benchmarks do not share heap and compiled code. Shows its progress output. */
async function runOne({
  module,
  built,
}: Benchmark): Promise<{ readonly code: number | null; readonly result: unknown }> {
  const sources = built ? [] : ['--conditions=reins-source'];
  const options = [...sources, '--expose-gc', '--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...options, join(ROOT, module), '--json'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const output = await text(child.stdout);
  return { code: await ended, result: parsed(output) };
}

function parsed(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    process.stderr.write(output);
    return undefined;
  }
}
