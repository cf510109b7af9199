import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Task } from './contestant.ts';
import { cpuOfTree } from './cpu.ts';

const ROOT = process.cwd();
const READY_TIMEOUT_MS = 60_000;
const DONE_TIMEOUT_MS = 120_000;

export interface Entrant {
  readonly name: string;
  /** Path from the repository root. */
  readonly module: string;
  readonly args?: readonly string[];
  /** Run from the build, because the code has decorators, which Node cannot strip. */
  readonly built?: true;
}

export interface RaceResult {
  readonly name: string;
  /** Units of work per second: the median of the rounds. */
  readonly perSecond: number;
  /** CPU time per unit in microseconds, of all processes of the contestant: the median of the rounds. NaN without /proc. */
  readonly cpuMicros: number;
  /** The speed of the first entrant relative to this one: the median of the ratios per round. */
  readonly oursIsTimes?: number;
  /** The CPU time of the first entrant relative to this one: the median of the ratios per round. */
  readonly oursTakesOfItsCpu?: number;
  readonly rounds: readonly number[];
}

/** Contestants in separate processes that do the same work in turn, so that other load on the machine affects all of them. */
export class Race {
  readonly #entrants: readonly Entrant[];
  readonly #children: readonly ChildProcess[];

  private constructor(entrants: readonly Entrant[], children: readonly ChildProcess[]) {
    this.#entrants = entrants;
    this.#children = children;
  }

  /** Starts the contestants one after the other. The first one is ours. */
  static async start(entrants: readonly Entrant[]): Promise<Race> {
    const children: ChildProcess[] = [];
    const race = new Race(entrants, children);
    try {
      for (const entrant of entrants) children.push(await started(entrant));
    } catch (error) {
      await race.stop();
      throw error;
    }
    return race;
  }

  /** Runs one warm-up round, then the measured rounds, each in a different order. */
  async run(task: Task, units: number, rounds: number): Promise<RaceResult[]> {
    const measured = this.#entrants.map((): { speed: number; cpuMicros: number }[] => []);
    for (let round = -1; round < rounds; round += 1) {
      for (let turn = 0; turn < this.#entrants.length; turn += 1) {
        const index = (turn + round + 1) % this.#entrants.length;
        const { ms, cpuMs } = await this.#ask(index, task);
        if (round < 0) continue;
        console.error(
          `${JSON.stringify(task)} round ${round + 1}: ${this.#entrants[index]?.name} ${Math.round(ms)} ms, ${cpuMs} ms of CPU`,
        );
        measured[index]?.push({ speed: (units * 1000) / ms, cpuMicros: (cpuMs * 1000) / units });
      }
    }
    const [ours = []] = measured;
    return this.#entrants.map(({ name }, index) => {
      const own = measured[index] ?? [];
      const times = {
        oursIsTimes: median(own.map(({ speed }, round) => (ours[round]?.speed ?? 0) / speed)),
        oursTakesOfItsCpu: median(own.map(({ cpuMicros }, round) => (ours[round]?.cpuMicros ?? 0) / cpuMicros)),
      };
      return {
        name,
        perSecond: median(own.map(({ speed }) => speed)),
        cpuMicros: median(own.map(({ cpuMicros }) => cpuMicros)),
        ...(index > 0 && times),
        rounds: own.map(({ speed }) => Math.round(speed)),
      };
    });
  }

  /** Stops the contestants and everything that they started. */
  async stop(): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null) return;
        const exited = once(child, 'exit');
        if (child.connected) child.disconnect();
        await exited;
      }),
    );
  }

  async #ask(index: number, task: Task): Promise<{ readonly ms: number; readonly cpuMs: number }> {
    const [child, name] = [this.#children[index], this.#entrants[index]?.name];
    if (!child) throw new Error(`${name} has not been started`);
    const before = cpuOfTree(child.pid ?? 0);
    child.send(task);
    const { ms, error } = (await answer(child, `${name} finished its work`, DONE_TIMEOUT_MS)) as {
      ms: number;
      error?: string;
    };
    if (error) throw new Error(`${name}: ${error}`);
    return { ms, cpuMs: (cpuOfTree(child.pid ?? 0) ?? Number.NaN) - (before ?? Number.NaN) };
  }
}

async function started({ name, module, args, built }: Entrant): Promise<ChildProcess> {
  const sources = built ? [] : ['--conditions=reins-source'];
  const child = fork(join(ROOT, module), [...(args ?? [])], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production', RESTATE_LOGGING: 'error' },
    execArgv: [...sources, '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 2, 2, 'ipc'], // Its output must not mix with the JSON document on standard output.
  });
  await answer(child, `${name} was ready`, READY_TIMEOUT_MS);
  return child;
}

async function answer(child: ChildProcess, what: string, timeoutMs: number): Promise<unknown> {
  const gone = new AbortController();
  const leave = (): void => gone.abort(new Error(`its process ended before ${what}`));
  child.once('exit', leave);
  try {
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(timeoutMs)]);
    const [message] = await once(child, 'message', { signal });
    return message;
  } catch (error) {
    child.kill();
    throw gone.signal.aborted
      ? gone.signal.reason
      : new Error(`timed out after ${timeoutMs} ms before ${what}`, { cause: error });
  } finally {
    child.off('exit', leave);
  }
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
