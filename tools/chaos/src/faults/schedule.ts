import { CRASH_POINTS, type CrashPoint } from '@reins/bus';
import { Random } from '../random.ts';

/** A fault of one part of the system. */
export interface Fault {
  readonly kind: 'kill' | 'freeze';
  /** The part's name in the supervisor. */
  readonly target: string;
  /** Milliseconds after the previous fault. */
  readonly afterMs: number;
  /** The service crashes itself at this point, instead of a kill at any moment. */
  readonly at?: CrashPoint;
  /** Killed again, this many milliseconds into its restart: during the takeover. */
  readonly againAfterMs?: number;
}

export interface ScheduleOptions {
  readonly seed: number;
  readonly kills: number;
  readonly freezes: number;
  /** The parts that may be killed. Servers are never frozen, because Reins makes no guarantees for a frozen server. */
  readonly targets: readonly string[];
}

/** The range of pauses: some faults hit a recovering system, and some a healthy one. */
const PAUSE_MS = [100, 3_000] as const;
/** One in this many kills of a service is followed by another one during its restart. */
const AGAIN_ONE_IN = 3;
/** One in this many kills of a service happens at a crash point. */
const AT_POINT_ONE_IN = 3;
const AGAIN_MS = [50, 2_000] as const;
const SERVERS: ReadonlySet<string> = new Set(['nats', 'postgres']);

/** Derives the faults from the seed. Every target is hit once before any is hit again. */
export function scheduleFaults({ seed, kills, freezes, targets }: ScheduleOptions): Fault[] {
  const random = new Random(seed);
  const services = targets.filter((target) => !SERVERS.has(target));
  const faults = [
    ...drawn(random, targets, kills).map((target) => ({ kind: 'kill', target }) as const),
    ...drawn(random, services, freezes).map((target) => ({ kind: 'freeze', target }) as const),
  ];
  const order = freezes > 0 ? random.shuffled(faults) : faults;
  return order.map((fault) => ({ ...fault, afterMs: random.between(...PAUSE_MS), ...variantOf(random, fault) }));
}

/** Chooses the variant of a fault: at any moment, twice, or at a crash point. */
function variantOf(
  random: Random,
  { kind, target }: Pick<Fault, 'kind' | 'target'>,
): Pick<Fault, 'at' | 'againAfterMs'> {
  if (kind === 'freeze' || SERVERS.has(target)) return {};
  const points = crashPointsOf(target);
  if (points.length > 0 && random.between(1, AT_POINT_ONE_IN) === 1)
    return { at: points[random.between(0, points.length - 1)] as CrashPoint };
  return random.between(1, AGAIN_ONE_IN) > 1 ? {} : { againAfterMs: random.between(...AGAIN_MS) };
}

/** The crash points of a service. Its replicas (`control-bus-2`) share them: the first one to reach it crashes. */
export function crashPointsOf(target: string): CrashPoint[] {
  const service = target.replace(/-\d+$/, '');
  return (Object.keys(CRASH_POINTS) as CrashPoint[]).filter((point) => CRASH_POINTS[point] === service);
}

/** Takes `count` items of the list, in shuffled rounds. */
function drawn(random: Random, list: readonly string[], count: number): string[] {
  const all: string[] = [];
  while (all.length < count && list.length > 0) all.push(...random.shuffled(list));
  return all.slice(0, count);
}
