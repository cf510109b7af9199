/** A benchmark of a package: a module that prints one JSON document when called with `--json`. */
export interface Benchmark {
  readonly name: string;
  /** Path from the repository root. */
  readonly module: string;
  readonly measures: string;
  /** Needs a build, because the measured code has decorators, which Node cannot strip. */
  readonly built?: true;
  /** The comparison with other engines, for `--peers`: a module in tools/bench/peers. */
  readonly peers?: string;
}

/** All benchmarks. docs/benchmarks.md explains the numbers. */
export const BENCHMARKS: readonly Benchmark[] = [
  {
    name: 'run',
    module: 'tools/bench/bench/run.ts',
    measures: 'short requests over HTTP on echo, in a complete system: sequential, and 64 concurrent',
    peers: 'tools/bench/peers/run.ts',
  },
  {
    name: 'streams',
    module: 'tools/bench/bench/streams.ts',
    measures: 'latency of text from 500 concurrent executors to their clients, in a complete system',
  },
  {
    name: 'liveness',
    module: 'services/harness-host/bench/liveness.ts',
    measures: 'heartbeats and acknowledgements per second of a host with 1, 16 and 64 live stages',
  },
  {
    name: 'doors',
    module: 'services/harness-host/bench/doors.ts',
    measures:
      'what the model door adds to one call and to 100 streams; a tool call; starting runtime `pi`; copying a setup',
  },
  {
    name: 'memory-recall',
    module: 'services/memory/bench/recall.ts',
    measures: 'recalls from a namespace with 100,000 records: one after the other, and 500 at once',
  },
  {
    name: 'bus',
    module: 'libs/bus/bench/main.ts',
    measures: 'acknowledged publishes and compare-and-set appends, compared with bare clients on the same server',
  },
  {
    name: 'taken',
    module: 'libs/bus/bench/taken.ts',
    measures: 'latency from publishing to handling while workers have taken 0, 20,000 and 100,000 messages',
  },
  {
    name: 'compile',
    module: 'libs/workspace-plan/bench/compile.mjs',
    measures: 'compiling workspaces, compared with parsing the same YAML',
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
    measures:
      'durable local steps, in one run and in 50 concurrent runs, compared with a bare loop of compare-and-set appends',
    built: true,
    peers: 'tools/bench/peers/effects.ts',
  },
  {
    name: 'hop',
    module: 'services/control-bus/bench/hop.ts',
    measures:
      'effects executed by a worker in another process, in 1, 50 and 500 runs, compared with a bare exchange of the same messages',
    built: true,
  },
  {
    name: 'memory',
    module: 'services/control-bus/bench/memory.ts',
    measures: 'memory of a waiting run and of a working run, in the owning process',
    built: true,
  },
  {
    name: 'takeover',
    module: 'services/control-bus/bench/takeover.ts',
    measures: 'time until another replica continues a run of 10,000 entries, after it gets the partition lease',
    built: true,
  },
  {
    name: 'large-values',
    module: 'services/control-bus/bench/large-values.ts',
    measures: 'journal size of a run with 1,000 effects whose results have 100 KB each',
    built: true,
  },
  {
    name: 'finished-runs',
    module: 'services/control-bus/bench/finished-runs.ts',
    measures: 'NATS requests that a new partition owner sends, with 100,000 ended and 100 open runs',
    built: true,
  },
  {
    name: 'replay',
    module: 'libs/replay/bench/replay.ts',
    measures: 'replaying the journal of a run, and the cost of each loading step',
    peers: 'tools/bench/peers/replay.ts',
  },
  {
    name: 'rundir',
    module: 'libs/replay/bench/rundir.ts',
    measures: 'a run of local steps in a run directory',
    peers: 'tools/bench/peers/rundir.ts',
  },
  {
    name: 'sandbox',
    module: 'libs/sandbox/bench/child.mjs',
    measures: 'starting the child process of an authored process, and one turn of it',
  },
  {
    name: 'projector',
    module: 'libs/store/bench/projector.ts',
    measures: 'writing the event log into the read model, compared with a bare client that inserts the same rows',
  },
  {
    name: 'rebuild',
    module: 'libs/store/bench/rebuild.ts',
    measures: 'rebuilding the read model, compared with a bare client that copies the same rows',
  },
];
