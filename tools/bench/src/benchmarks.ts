/** One benchmark of a package: a module that prints one JSON document when it is called with `--json`. */
export interface Benchmark {
  readonly name: string;
  /** From the root of the repository. */
  readonly module: string;
  readonly measures: string;
  /** It needs a build: what it measures has decorators, which Node cannot strip. */
  readonly built?: true;
  /** The same beside what others have published, for `--peers`: a module in tools/bench/peers. */
  readonly peers?: string;
}

/** Every benchmark of the house. What each number means: docs/benchmarks.md. */
export const BENCHMARKS: readonly Benchmark[] = [
  {
    name: 'run',
    module: 'tools/bench/bench/run.ts',
    measures: 'short requests over HTTP on echo, in a system of its own: one after the other, and 64 at once',
    peers: 'tools/bench/peers/run.ts',
  },
  {
    name: 'streams',
    module: 'tools/bench/bench/streams.ts',
    measures: 'text on its way from 500 executors at once to the clients that follow them, in a system of its own',
  },
  {
    name: 'bus',
    module: 'libs/bus/bench/main.ts',
    measures: 'acknowledged publish and compare-and-set appends, beside bare clients on the same server',
  },
  {
    name: 'compile',
    module: 'libs/workspace-plan/bench/compile.mjs',
    measures: 'compiling workspaces, beside the parsing of the same YAML alone',
  },
  {
    name: 'prepare',
    module: 'services/runner-prep/bench/prepare.ts',
    measures: 'CPU time of preparing one stage, and the share of each step',
    built: true,
  },
  {
    name: 'effects',
    module: 'services/control-bus/bench/effects.ts',
    measures: 'durable local steps, in one run and in 50 at once, beside a bare loop of compare-and-set appends',
    built: true,
    peers: 'tools/bench/peers/effects.ts',
  },
  {
    name: 'hop',
    module: 'services/control-bus/bench/hop.ts',
    measures:
      'effects done by a worker in another process, in 1, 50 and 500 runs, beside a bare hop of the same messages',
    built: true,
  },
  {
    name: 'memory',
    module: 'services/control-bus/bench/memory.ts',
    measures: 'memory of a run that waits, and of one that works, in the process that owns it',
    built: true,
  },
  {
    name: 'takeover',
    module: 'services/control-bus/bench/takeover.ts',
    measures: 'how soon another replica goes on with a run of 10,000 entries, once it has the lease of its partition',
    built: true,
  },
  {
    name: 'large-values',
    module: 'services/control-bus/bench/large-values.ts',
    measures: 'how large the journal of a run of 1,000 effects is whose results have 100 KB each',
    built: true,
  },
  {
    name: 'finished-runs',
    module: 'services/control-bus/bench/finished-runs.ts',
    measures: 'what a new owner of a partition asks where 100,000 runs have ended and 100 have not',
    built: true,
  },
  {
    name: 'replay',
    module: 'libs/replay/bench/replay.ts',
    measures: 'replaying the journal of a run, and what the steps of loading one cost',
    peers: 'tools/bench/peers/replay.ts',
  },
  {
    name: 'rundir',
    module: 'libs/replay/bench/rundir.ts',
    measures: 'a run of local steps in a run directory',
    peers: 'tools/bench/peers/rundir.ts',
  },
  {
    name: 'projector',
    module: 'libs/store/bench/projector.ts',
    measures: 'writing the log into the read model, beside a bare client that inserts the same rows',
  },
  {
    name: 'rebuild',
    module: 'libs/store/bench/rebuild.ts',
    measures: 'making the read model anew, beside a bare client that copies the same rows',
  },
];
