import type { Violation } from '@reins/chaos/checks';
import { Random } from '@reins/chaos/random';
import { caseOf } from './checks/case.ts';
import { checkAll } from './checks/checks.ts';
import { type FaultRates, faultsOf, NO_FAULTS } from './faults.ts';
import type { Sweeps } from './machine/archiving.ts';
import { Machine } from './machine/machine.ts';
import { type Mutation, Replica } from './machine/replica.ts';
import { Scheduler } from './scheduler.ts';
import { Server } from './server/server.ts';
import { Trace } from './trace.ts';
import { Clients } from './world/clients.ts';
import { Readers } from './world/readers.ts';
import { PARTITIONS } from './world/settings.ts';
import { Workers } from './world/workers.ts';

export interface SimulationOptions {
  readonly seed: number;
  /** Whether what happens is written down. */
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
  /** Things that happened one after the other. */
  readonly steps: number;
  readonly trace: readonly string[];
}

const RESTART_MS = [10, 4_000] as const;
/** Virtual time after the faults within which everything has to come to rest. */
const HELP_EVERY_MS = 200_000;
const ROUNDS_OF_HELP = 40;
const MOST_STEPS = 80_000;
/** Of the seeds. */
const ARCHIVING = 0.3;
/** So long it all goes wrong again when every run is over: now they are archived. */
const LATE_MS = 45_000;
const LATE_READERS = 3;
/** So long after the last run has ended, whatever is still under way is over. */
const REST_MS = 400_000;

/** One run of the simulation. The same seed does the same, always. */
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
  readonly #wanted: number;
  readonly #weather: FaultRates;
  #faults: FaultRates;
  /** In the others runs stay where they are. */
  readonly #archives: boolean;
  #sweeps: Sweeps;
  readonly #clients: Clients;
  readonly #readers: Readers;
  #machines = 0;
  #crashes = 0;

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#trace = new Trace(() => this.#scheduler.now, options.trace ?? false);
    this.#weather = faultsOf(this.#random);
    this.#faults = this.#weather;
    this.#wanted = this.#random.between(1, 3);
    this.#archives = this.#random.chance(ARCHIVING);
    this.#sweeps = this.#archives ? 'often' : 'never';
    const world = {
      server: this.#server,
      scheduler: this.#scheduler,
      random: this.#random,
      faults: () => this.#faults,
    };
    const workers = new Workers(world);
    this.#clients = new Clients(world);
    this.#readers = new Readers(world);
    this.#server.onEvent = (message) => workers.hear(message);
    this.#server.onOrder = (effectId, kind) => workers.order(effectId, kind);
  }

  async run(): Promise<SimulationResult> {
    const random = this.#random;
    const requests = random.between(1, 3);
    this.#trace.line('seed', () => `${this.#options.seed}: ${JSON.stringify(this.#faults)}`);
    for (let n = 0; n < this.#wanted; n += 1) this.#start();
    this.#clients.submit(requests, 20_000);
    this.#clients.sendRandomCommands(random.between(0, 8), 120_000);
    this.#readers.read(random.between(0, 6), 120_000);
    await this.#until(random.between(30_000, 200_000));
    this.#calm('never');
    const unsettled = await this.#settle();
    if (unsettled === undefined && this.#archives) await this.#archive();
    await this.#readers.readAll();
    const inMemory = [...this.#replicas].reduce((sum, { runs }) => sum + runs, 0);
    const given = caseOf(
      this.#server,
      { clients: this.#clients, readers: this.#readers },
      { inMemory, unsettled, archives: this.#archives },
    );
    return {
      seed: this.#options.seed,
      violations: await checkAll(given),
      requests,
      commits: this.#server.journals.ever.length,
      facts: this.#server.events.messages.length,
      crashes: this.#crashes,
      steps: this.#scheduler.steps,
      trace: this.#trace.lines,
    };
  }

  #calm(sweeps: Sweeps): void {
    this.#trace.line('world', () => 'from here on nothing goes wrong');
    this.#faults = NO_FAULTS;
    this.#sweeps = sweeps;
  }

  /** Every run is over: they leave the stream, in weather as before, while some still speak to them and read them. */
  async #archive(): Promise<void> {
    this.#trace.line('world', () => 'every run is over, and everything goes wrong again');
    this.#faults = this.#weather;
    this.#sweeps = 'often';
    this.#clients.sendLateCommands(LATE_MS);
    this.#readers.read(LATE_READERS, LATE_MS);
    await this.#until(LATE_MS);
    this.#calm('seldom');
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
        this.#scheduler.after(this.#random.between(...RESTART_MS), () => {
          this.#start();
          return true;
        });
      },
    });
    const replica = new Replica({
      machine,
      server: this.#server,
      share: () => Math.ceil(PARTITIONS / Math.max(1, this.#replicas.size)),
      isCalm: () => this.#faults === NO_FAULTS,
      sweeps: () => this.#sweeps,
      mutation: this.#options.mutation,
    });
    this.#replicas.add(replica);
    replica.start();
  }

  /** Lets virtual time pass. */
  async #until(ms: number): Promise<void> {
    let isOver = false;
    this.#scheduler.after(ms, () => {
      isOver = true;
      return false;
    });
    while (!isOver && this.#scheduler.steps < MOST_STEPS) await this.#scheduler.step();
  }

  /** @returns what keeps it from coming to rest */
  async #settle(): Promise<string | undefined> {
    for (let round = 1; round <= ROUNDS_OF_HELP; round += 1) {
      await this.#until(HELP_EVERY_MS);
      if (this.#scheduler.steps >= MOST_STEPS) return 'there is always something to do';
      if (!this.#clients.isEveryRunOver) this.#clients.unblockRuns(round);
      else if (this.#server.inbox.waiting.size === 0) {
        await this.#until(REST_MS);
        return undefined;
      }
    }
    return this.#clients.isEveryRunOver ? 'messages are left in the inbox' : 'runs do not end';
  }
}
