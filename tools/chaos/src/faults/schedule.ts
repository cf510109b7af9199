import { CRASH_POINTS, type CrashPoint } from '@reins/bus';
import { Random } from '../random.ts';

/** Something that is done to a part of the system. */
export interface Fault {
  readonly kind: 'kill' | 'freeze';
  /** The part that it is done to, by its name in the supervisor. */
  readonly target: string;
  /** Milliseconds since the fault before. */
  readonly afterMs: number;
  /** Killed there, by itself, in place of at any moment. */
  readonly at?: CrashPoint;
  /** Killed once more, so many milliseconds after it began to start again: in the middle of taking over. */
  readonly againAfterMs?: number;
}

export interface ScheduleOptions {
  readonly seed: number;
  readonly kills: number;
  readonly freezes: number;
  /** The parts that may be killed. Servers are never frozen: what a frozen server does is nobody's promise. */
  readonly targets: readonly string[];
}

/** A pause lies between these, so that some faults meet a system that is still recovering and some one that is well. */
const PAUSE_MS = [100, 3_000] as const;
/** One of so many kills of a service is followed by another one while it starts. */
const AGAIN_ONE_IN = 3;
/** One of so many kills of a service happens at one of its crash points. */
const AT_POINT_ONE_IN = 3;
const AGAIN_MS = [50, 2_000] as const;
const SERVERS: ReadonlySet<string> = new Set(['nats', 'postgres']);

/** What is done when: follows from the seed alone. Every target is hit once before any is hit again. */
export function scheduleFaults({ seed, kills, freezes, targets }: ScheduleOptions): Fault[] {
  const random = new Random(seed);
  const services = targets.filter((target) => !SERVERS.has(target));
  const faults = [
    ...dealt(random, targets, kills).map((target) => ({ kind: 'kill', target }) as const),
    ...dealt(random, services, freezes).map((target) => ({ kind: 'freeze', target }) as const),
  ];
  const order = freezes > 0 ? random.shuffled(faults) : faults;
  return order.map((fault) => ({ ...fault, afterMs: random.between(...PAUSE_MS), ...manner(random, fault) }));
}

/** How a fault happens: at any moment, twice, or at a crash point. */
function manner(random: Random, { kind, target }: Pick<Fault, 'kind' | 'target'>): Pick<Fault, 'at' | 'againAfterMs'> {
  if (kind === 'freeze' || SERVERS.has(target)) return {};
  const points = crashPointsOf(target);
  if (points.length > 0 && random.between(1, AT_POINT_ONE_IN) === 1)
    return { at: points[random.between(0, points.length - 1)] as CrashPoint };
  return random.between(1, AGAIN_ONE_IN) > 1 ? {} : { againAfterMs: random.between(...AGAIN_MS) };
}

/** The crash points of a service. Its replicas (`control-bus-2`) share them: whichever comes by first ends. */
export function crashPointsOf(target: string): CrashPoint[] {
  const service = target.replace(/-\d+$/, '');
  return (Object.keys(CRASH_POINTS) as CrashPoint[]).filter((point) => CRASH_POINTS[point] === service);
}

/** So many of the list, in shuffled rounds. */
function dealt(random: Random, list: readonly string[], count: number): string[] {
  const all: string[] = [];
  while (all.length < count && list.length > 0) all.push(...random.shuffled(list));
  return all.slice(0, count);
}
