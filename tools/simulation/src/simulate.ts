import type { Violation } from '@reins/chaos/checks';
import { Random } from '@reins/chaos/random';
import { caseOf } from './checks/case.ts';
import { checkAll } from './checks/checks.ts';
import { type FaultRates, faultsOf, NO_FAULTS } from './faults.ts';
import type { Sweeps } from './machine/archiving.ts';
import { inMemoryTimes } from './machine/in-memory-times.ts';
import { Machine } from './machine/machine.ts';
import { type Mutation, Replica } from './machine/replica.ts';
import { Scheduler } from './scheduler.ts';
import { Server } from './server/server.ts';
import { Trace } from './trace.ts';
import { Clients } from './world/clients.ts';
import { Crowd } from './world/crowd.ts';
import { Readers } from './world/readers.ts';
import { PARTITIONS } from './world/settings.ts';
import { Workers } from './world/workers.ts';

export interface SimulationOptions {
  readonly seed: number;
  /** Whether each stream loses its last messages in power failures. Default: no. */
  readonly losesPower?: boolean | undefined;
  /** Whether to record a trace. */
  readonly trace?: boolean;
  /** A bug that is planted in every replica. */
  readonly mutation?: Mutation;
}

export interface SimulationResult {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly requests: number;
  readonly commits: number;
  readonly facts: number;
  readonly crashes: number;
  /** Number of executed actions. */
  readonly steps: number;
  readonly trace: readonly string[];
}

const RESTART_MS = [10, 4_000] as const;
/** After the faults: the interval and the number of rounds in which waiting runs are unblocked. */
const UNBLOCK_INTERVAL_MS = 200_000;
const UNBLOCK_ROUNDS = 40;
const MAX_STEPS = 80_000;
/** The share of seeds that archive runs. */
const ARCHIVING_SHARE = 0.3;
/** In every so many seeds, the bucket of leases is deleted and created again. */
const RECREATED_LEASES_EVERY = 50;
/** In every so many seeds, journals are compared with facts and sessions. */
const RECONCILED_EVERY = 5;
const POWER_FAILURES = 3;
/** The share of power failures in which the machines go on, and lose their connections only. */
const SERVER_ONLY_SHARE = 0.4;
/** The smallest share of a stream that survives a power failure. */
const KEPT_AT_LEAST = 0.3;
/** When the power fails: often while requests start. */
const POWER_FAILS_MS = [
  [500, 20_000],
  [500, 60_000],
] as const;
/** How long after the faults the bucket of leases is recreated at the latest. */
const RECREATED_LATE_MS = 30_000;
/** The share of seeds in which clients and runs misbehave, after the other faults. */
const CROWDED_SHARE = 0.2;
/** The share of these seeds in which machines crash at the same time. */
const CROWD_CRASHES_SHARE = 0.4;
/** In every tenth seed, a burst of requests meets busy hosts after the faults. */
const BURST_EVERY = 10;
/** How long a burst takes. */
const BURST_MS = 150_000;
/** The share of bursts in which the whole installation is down for a while. */
const OUTAGE_SHARE = 0.5;
/** When an outage begins, since the start of the burst. */
const OUTAGE_FROM_MS = [0, 60_000] as const;
/** Longer than the leases of its machines, and than the start deadline of a stage. */
const OUTAGE_MS = 70_000;
/** When the hosts appear again after an outage: some of them long after the start deadline. */
const HOSTS_RETURN_MS = [1_000, 400_000] as const;
/** How long the replicas need to take over every partition after the faults. */
const RECOVERY_MS = 150_000;
/** The duration of the second fault phase, in which ended runs are archived. */
const LATE_MS = 45_000;
const LATE_READERS = 3;
/** How long outstanding work may take after the last run has ended. */
const REST_MS = 400_000;

/** Simulates one seed. The result depends only on the options and the code. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  return new Simulation(options).run();
}

class Simulation {
  readonly #options: SimulationOptions;
  readonly #random: Random;
  readonly #scheduler = new Scheduler();
  readonly #server = new Server(this.#scheduler);
  readonly #trace: Trace;
  readonly #replicas = new Set<Replica>();
  readonly #replicaCount: number;
  readonly #seedFaults: FaultRates;
  readonly #inMemoryMsOf: ReturnType<typeof inMemoryTimes>;
  #faults: FaultRates;
  readonly #losesPower: boolean;
  /** Whether this seed archives runs. */
  readonly #archives: boolean;
  #sweeps: Sweeps;
  readonly #isCrowded: boolean;
  readonly #crowd: Crowd;
  readonly #hasBurst: boolean;
  readonly #busyHosts: Workers['busyHosts'];
  readonly #clients: Clients;
  readonly #readers: Readers;
  #machines = 0;
  /** No machine starts before this time. */
  #downUntil = 0;
  #crashes = 0;

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#trace = new Trace(() => this.#scheduler.now, options.trace ?? false);
    this.#seedFaults = faultsOf(this.#random);
    this.#faults = this.#seedFaults;
    this.#inMemoryMsOf = inMemoryTimes(options.seed, this.#seedFaults.skewMs);
    this.#replicaCount = this.#random.between(1, 3);
    this.#losesPower = options.losesPower ?? false;
    this.#archives = this.#random.chance(ARCHIVING_SHARE);
    this.#sweeps = this.#archives ? 'often' : 'never';
    this.#isCrowded = this.#random.chance(CROWDED_SHARE);
    const world = {
      server: this.#server,
      scheduler: this.#scheduler,
      random: this.#random,
      faults: () => this.#faults,
    };
    this.#hasBurst = options.seed % BURST_EVERY === 0;
    const workers = new Workers(world);
    this.#busyHosts = workers.busyHosts;
    this.#server.stageHosts = workers.busyHosts;
    this.#server.isStageQueued = (requestId) => workers.busyHosts.holds(requestId);
    this.#clients = new Clients(world);
    this.#crowd = new Crowd(world, (body) => void this.#clients.submitted.set(body.requestId, body));
    this.#readers = new Readers(world);
    this.#server.onEvent = (message) => {
      workers.onMessage(message);
      this.#clients.onMessage(message);
    };
    this.#server.onControl = (effectId, control) => workers.onControl(effectId, control);
  }

  async run(): Promise<SimulationResult> {
    const random = this.#random;
    const requests = random.between(1, 3);
    if (this.#losesPower) this.#losePower(new Random(this.#options.seed));
    this.#trace.line('seed', () => `${this.#options.seed}: ${JSON.stringify(this.#faults)}`);
    for (let n = 0; n < this.#replicaCount; n += 1) this.#start();
    this.#clients.submit(requests, 20_000);
    this.#clients.sendRandomCommands(random.between(0, 8), 120_000);
    this.#readers.read(random.between(0, 6), 120_000);
    const faultsMs = random.between(30_000, 200_000);
    if (this.#options.seed % RECREATED_LEASES_EVERY === 1)
      // Its own random numbers: everything else in the world stays as it would be without it.
      this.#recreateLeases(new Random(this.#options.seed).between(5_000, faultsMs + RECREATED_LATE_MS));
    await this.#until(faultsMs);
    this.#endFaults('never');
    if (this.#isCrowded) await this.#misbehave();
    if (this.#hasBurst) await this.#burst();
    const unsettled = await this.#settle();
    // A request that a power failure lost may be submitted again, and gets no answers then.
    if (unsettled === undefined && this.#archives && !this.#losesPower) await this.#archive();
    await this.#readers.readAll();
    const inMemory = [...this.#replicas].reduce((sum, { runs }) => sum + runs, 0);
    const given = caseOf(
      this.#server,
      { clients: this.#clients, crowd: this.#crowd, busyHosts: this.#busyHosts, readers: this.#readers },
      { areClocksRight: this.#seedFaults.skewMs === 0, inMemory, unsettled, archives: this.#archives },
    );
    return {
      seed: this.#options.seed,
      violations: await checkAll(given),
      requests,
      commits: this.#server.journals.allCommits.length,
      facts: this.#server.events.messages.length,
      crashes: this.#crashes,
      steps: this.#scheduler.steps,
      trace: this.#trace.lines,
    };
  }

  /** Waits until every partition has an owner again. Then clients and runs misbehave for a while. */
  async #misbehave(): Promise<void> {
    await this.#until(RECOVERY_MS);
    this.#trace.line('world', () => 'clients misbehave');
    this.#crowd.hasCrashes = this.#random.chance(CROWD_CRASHES_SHARE);
    const ms = this.#crowd.start();
    if (this.#crowd.hasCrashes) this.#crashWithin(ms);
    await this.#until(ms);
    this.#crowd.heal();
  }

  /** More requests than the hosts have slots. Machines may crash meanwhile, or everything stops for a while. */
  async #burst(): Promise<void> {
    await this.#until(RECOVERY_MS);
    this.#trace.line('world', () => 'a burst of requests');
    this.#busyHosts.start((body) => void this.#clients.submitted.set(body.requestId, body));
    if (this.#random.chance(CROWD_CRASHES_SHARE)) this.#crashWithin(BURST_MS);
    if (this.#random.chance(OUTAGE_SHARE)) this.#stopAll(this.#random.between(...OUTAGE_FROM_MS));
    await this.#until(BURST_MS);
  }

  /** Stops every machine after some time, for a while. The hosts appear again after the machines. */
  #stopAll(afterMs: number): void {
    this.#scheduler.after(afterMs, () => {
      this.#trace.line('world', () => 'the installation is down');
      this.#downUntil = this.#scheduler.now + OUTAGE_MS;
      this.#busyHosts.leave(OUTAGE_MS + this.#random.between(...HOSTS_RETURN_MS));
      for (const replica of [...this.#replicas]) replica.crash('with the whole installation');
      return true;
    });
  }

  /** Crashes every machine at some time. */
  #crashWithin(ms: number): void {
    for (const replica of this.#replicas)
      this.#scheduler.after(this.#random.between(0, ms), () => replica.crash('while clients misbehave'));
  }

  /**
   * The server loses power several times, and often all machines with it. Otherwise they go on with what they have in
   * memory, as soon as they are connected again.
   */
  #losePower(random: Random): void {
    const times = random.between(1, POWER_FAILURES);
    // Its own random numbers: they do not change when the power fails, and what is lost.
    const kind = new Random(this.#options.seed + 1);
    for (let time = 0; time < times; time += 1) {
      const [from, to] = random.pick(POWER_FAILS_MS);
      this.#scheduler.after(random.between(from, to), () => {
        const isServerOnly = kind.chance(SERVER_ONLY_SHARE);
        this.#trace.line('world', () => (isServerOnly ? 'the power of the server fails' : 'the power fails'));
        if (!isServerOnly) for (const replica of [...this.#replicas]) replica.crash('without power');
        this.#server.losePower(() => 1 - (1 - KEPT_AT_LEAST) * random.fraction() * random.fraction());
        return true;
      });
    }
  }

  #recreateLeases(afterMs: number): void {
    this.#scheduler.after(afterMs, () => {
      this.#trace.line('world', () => 'the bucket of leases is created again');
      this.#server.leases.recreate();
      return false;
    });
  }

  #endFaults(sweeps: Sweeps): void {
    this.#trace.line('world', () => 'faults end');
    this.#faults = NO_FAULTS;
    this.#sweeps = sweeps;
  }

  /** Archives all ended runs under the same fault rates, while clients send late commands and readers read. */
  async #archive(): Promise<void> {
    this.#trace.line('world', () => 'every run has ended, faults start again');
    this.#faults = this.#seedFaults;
    this.#sweeps = 'often';
    this.#clients.sendLateCommands(LATE_MS);
    this.#readers.read(LATE_READERS, LATE_MS);
    await this.#until(LATE_MS);
    this.#endFaults('seldom');
    await this.#until(REST_MS);
  }

  #start(): void {
    this.#machines += 1;
    const machine = new Machine({
      name: `bus-${this.#machines}`,
      scheduler: this.#scheduler,
      random: this.#random,
      trace: this.#trace,
      faults: () => this.#faults,
      onCrash: () => {
        this.#crashes += 1;
        this.#replicas.delete(replica);
        this.#startLater();
      },
    });
    const replica = new Replica({
      machine,
      server: this.#server,
      share: () => Math.ceil(PARTITIONS / Math.max(1, this.#replicas.size)),
      isFaultFree: () => this.#faults === NO_FAULTS,
      sweeps: () => this.#sweeps,
      inMemoryMsOf: this.#inMemoryMsOf,
      reconciles: this.#losesPower || this.#options.seed % RECONCILED_EVERY === RECONCILED_EVERY - 1,
      mutation: this.#options.mutation,
    });
    this.#replicas.add(replica);
    replica.start();
  }

  /** Starts a machine after a while, and not during an outage. */
  #startLater(): void {
    const downMs = Math.max(0, this.#downUntil - this.#scheduler.now);
    this.#scheduler.after(downMs + this.#random.between(...RESTART_MS), () => {
      if (this.#scheduler.now < this.#downUntil) this.#startLater();
      else this.#start();
      return true;
    });
  }

  /** Advances virtual time. */
  async #until(ms: number): Promise<void> {
    let isDone = false;
    this.#scheduler.after(ms, () => {
      isDone = true;
      return false;
    });
    while (!isDone && this.#scheduler.steps < MAX_STEPS) await this.#scheduler.step();
  }

  /** @returns why the simulation did not become quiescent; undefined when it did */
  async #settle(): Promise<string | undefined> {
    for (let round = 1; round <= UNBLOCK_ROUNDS; round += 1) {
      await this.#until(UNBLOCK_INTERVAL_MS);
      if (this.#scheduler.steps >= MAX_STEPS) return 'too many steps';
      if (!this.#clients.haveAllRunsEnded) this.#clients.unblockRuns(round);
      else if (this.#server.inbox.waiting.size + this.#server.held.messages.size === 0) {
        await this.#until(REST_MS);
        return undefined;
      }
    }
    return this.#clients.haveAllRunsEnded ? 'messages are left in the inbox, or are held' : 'runs do not end';
  }
}
