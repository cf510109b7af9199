import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { ReinsError } from '@reins/contracts';

export interface SimulationArguments {
  readonly from: number;
  readonly seeds: number;
  readonly threads: number;
  /** Undefined: as the seed says. */
  readonly losesPower: true | undefined;
  readonly trace: boolean;
}

export const USAGE = `npm run simulate -- [options]
  --seeds N      number of seeds (default 1000)
  --from N       first seed (default 0)
  --threads N    number of threads (default: number of processors)
  --seed N       only this seed
  --power        power failures in every seed: each stream loses its last messages
  --trace        print everything that happens`;

/** @throws ReinsError `wrong_usage` */
export function parseArguments(args: readonly string[]): SimulationArguments {
  const { from, power, seed, seeds, threads, trace } = read(args);
  const only = wholeNumber('seed', seed, 0, 2 ** 31 - 1);
  if (trace && only === undefined) throw wrongUsage('--trace needs --seed');
  return {
    from: only ?? wholeNumber('from', from, 0, 2 ** 31 - 1) ?? 0,
    seeds: only === undefined ? (wholeNumber('seeds', seeds, 1, 10_000_000) ?? 1_000) : 1,
    threads: wholeNumber('threads', threads, 1, 256) ?? availableParallelism(),
    losesPower: power || undefined,
    trace: trace ?? false,
  };
}

function read(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    seeds: text,
    from: text,
    threads: text,
    seed: text,
    power: { type: 'boolean' },
    trace: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (cause) {
    throw wrongUsage(cause instanceof Error ? cause.message : String(cause));
  }
}

function wholeNumber(name: string, value: string | undefined, least: number, most: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least && number <= most) return number;
  throw wrongUsage(`--${name} must be an integer from ${least} to ${most}`);
}

const wrongUsage = (message: string): ReinsError => new ReinsError({ code: 'wrong_usage', message, hint: USAGE });
