import { parseArgs } from 'node:util';
import { ReinsError } from '@reins/contracts';
import { SERVICE_NAMES } from '@reins/service-kit/installation';
import { MODES } from './modes.ts';

/** The options of a chaos run. */
export interface ChaosOptions {
  readonly kills: number;
  /** Number of times that a service is frozen for longer than every lease. */
  readonly freezes: number;
  readonly seed: number;
  /** Names of parts: services, `nats`, `postgres`. */
  readonly targets: readonly string[];
  /** Number of replicas of the control bus and of the harness host. */
  readonly replicas: number;
  /** Submitted requests per second. */
  readonly rate: number;
  /** Names of modes: unfavourable environments and loads, in addition to the kills. */
  readonly modes: readonly string[];
  /** Keep the state folder even without violations. */
  readonly keep: boolean;
}

export interface ChaosArguments extends ChaosOptions {
  readonly json: boolean;
}

export const TARGETS: readonly string[] = [...SERVICE_NAMES, 'nats', 'postgres'];
const MODE_NAMES: readonly string[] = Object.keys(MODES);

/** By default there is one freeze for this many kills, because a freeze takes as long as several kills. */
const KILLS_FOR_A_FREEZE = 25;
const freezesFor = (kills: number): number => Math.floor(kills / KILLS_FOR_A_FREEZE);

const KILLS = 25;

export const DEFAULT_OPTIONS: ChaosOptions = {
  kills: KILLS,
  freezes: freezesFor(KILLS),
  seed: 1,
  targets: TARGETS,
  replicas: 1,
  rate: 2,
  modes: [],
  keep: false,
};

export const USAGE = `npm run chaos -- [options]
  --kills N       number of kills (default ${DEFAULT_OPTIONS.kills})
  --freezes N     number of freezes that outlast every lease (default one for ${KILLS_FOR_A_FREEZE} kills)
  --seed S        seed of the faults (default ${DEFAULT_OPTIONS.seed})
  --targets a,b   parts to kill and freeze: ${TARGETS.join(', ')} (default all)
  --replicas N    replicas of the control bus and the harness host (default ${DEFAULT_OPTIONS.replicas})
  --rate N        requests per second (default ${DEFAULT_OPTIONS.rate})
  --modes a,b     unfavourable conditions: ${MODE_NAMES.join(', ')}, or all (default none)
  --keep          keep the state folder even without violations
  --json          print the result as JSON`;

/** @throws ReinsError `wrong_usage` */
export function parseArguments(args: readonly string[]): ChaosArguments {
  const { values } = read(args);
  const kills = wholeNumber('kills', values.kills, 0, 100_000) ?? DEFAULT_OPTIONS.kills;
  return {
    kills,
    freezes: wholeNumber('freezes', values.freezes, 0, 10_000) ?? freezesFor(kills),
    seed: wholeNumber('seed', values.seed, 0, 2 ** 31 - 1) ?? DEFAULT_OPTIONS.seed,
    targets: values.targets === undefined ? DEFAULT_OPTIONS.targets : namesOf('target', values.targets, TARGETS),
    modes: modesIn(values.modes),
    replicas: wholeNumber('replicas', values.replicas, 1, 8) ?? DEFAULT_OPTIONS.replicas,
    rate: wholeNumber('rate', values.rate, 1, 1000) ?? DEFAULT_OPTIONS.rate,
    keep: values.keep ?? false,
    json: values.json ?? false,
  };
}

/** The command that repeats the run. */
export function commandOf(options: ChaosOptions): string {
  const { kills, freezes, seed, targets, replicas, rate, modes } = options;
  const some = targets.length === TARGETS.length ? [] : ['--targets', targets.join(',')];
  const more = [
    ...(freezes === freezesFor(kills) ? [] : ['--freezes', freezes]),
    ...some,
    ...(replicas === DEFAULT_OPTIONS.replicas ? [] : ['--replicas', replicas]),
    ...(rate === DEFAULT_OPTIONS.rate ? [] : ['--rate', rate]),
    ...(modes.length === 0 ? [] : ['--modes', modes.join(',')]),
  ];
  return ['npm run chaos --', '--kills', kills, '--seed', seed, ...more].join(' ');
}

function read(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        kills: text,
        freezes: text,
        seed: text,
        targets: text,
        modes: text,
        replicas: text,
        rate: text,
        keep: flag,
        json: flag,
      },
    });
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

const modesIn = (text: string | undefined): readonly string[] => {
  if (text === undefined) return DEFAULT_OPTIONS.modes;
  return text === 'all' ? MODE_NAMES : namesOf('mode', text, MODE_NAMES);
};

function namesOf(what: string, text: string, known: readonly string[]): string[] {
  const named = [...new Set(text.split(','))];
  const unknown = named.filter((name) => !known.includes(name));
  if (unknown.length === 0) return named;
  throw wrongUsage(`unknown ${what}: ${unknown.join(', ')}; use ${known.join(', ')}`);
}

const wrongUsage = (message: string): ReinsError => new ReinsError({ code: 'wrong_usage', message, hint: USAGE });
