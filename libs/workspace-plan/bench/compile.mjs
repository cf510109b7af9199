/**
 * Measures how fast workspaces compile. Run `node bench/compile.mjs [--json]` after a build, or call `benchCompile()`.
 * Every time is a median of warm runs in this process. `js_yaml` is js-yaml's `load` of the same documents and nothing
 * else.
 */
import { fileURLToPath } from 'node:url';
import yaml from 'js-yaml';
import { compileWorkspace, inputsChecksum } from '../dist/index.js';
import { large, typical, withMistakes } from './workspaces.mjs';

const documentsOf = ({ workspaceYaml, references }) => [
  workspaceYaml,
  ...Object.entries(references).flatMap(([path, text]) => (path.endsWith('.yaml') ? [text] : [])),
];

function sample(run) {
  const startedAt = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - startedAt) / 1000;
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Medians in microseconds. The runs alternate, so that other load on the machine affects all of them equally. */
function compare(runs, rounds, warmUp = rounds) {
  const times = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(runs)) {
      const time = sample(run);
      if (round >= 0) times[name].push(time);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}

function measureTypical(rounds) {
  const documents = documentsOf(typical);
  const cache = new Map([[inputsChecksum(typical), compileWorkspace(typical)]]);
  return compare(
    {
      js_yaml: () => documents.map((text) => yaml.load(text)),
      compile: () => compileWorkspace(typical),
      compile_with_problems: () => compileWorkspace(withMistakes),
      cached: () => cache.get(inputsChecksum(typical)),
    },
    rounds,
  );
}

/** Heap in use after a full collection, in MiB: after a tenth of the compiles, and after the last one. */
function measureMemory(compiles) {
  const used = () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  let early = 0;
  for (let i = 0; i < compiles; i += 1) {
    if (i === Math.floor(compiles / 10)) early = used();
    compileWorkspace({ ...typical, workspaceId: `ws-${i}` });
  }
  return { compiles, early_mib: early, late_mib: used(), exact: globalThis.gc !== undefined };
}

export function benchCompile({ rounds = 3000, compiles = 100_000 } = {}) {
  const times = measureTypical(rounds);
  const { compile_large } = compare({ compile_large: () => compileWorkspace(large) }, Math.ceil(rounds / 50));
  const memory = measureMemory(compiles);
  const checks = {
    'cold, with all positions and diagnostics, at most 3 times js-yaml': times.compile <= 3 * times.js_yaml,
    'with problems, at most 3 times js-yaml': times.compile_with_problems <= 3 * times.js_yaml,
    'cached under 50 µs': times.cached < 50,
    '200 servers and 100 applications under 50 ms': compile_large < 50_000,
    'memory flat': memory.late_mib < memory.early_mib + 5,
  };
  return { times_us: { ...times, compile_large }, ratio: times.compile / times.js_yaml, memory, checks };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const result = benchCompile();
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else console.dir(result, { depth: null });
  if (Object.values(result.checks).includes(false)) process.exitCode = 1;
}
