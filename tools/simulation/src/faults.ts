import type { Random } from '@reins/chaos/random';

/** How often what goes wrong, from 0 to 1, or in virtual milliseconds. */
export interface FaultRates {
  /** Of calls: the request does not arrive. */
  readonly lost: number;
  /** Of calls: done, and nobody hears of it. */
  readonly unanswered: number;
  /** Of calls: slower than any lease lives. */
  readonly slow: number;
  /** Of calls: the machine dies on the way. */
  readonly crash: number;
  /** Of calls: the machine stops for longer than its leases live. */
  readonly freeze: number;
  /** Of reads of a journal: not all of it at once. */
  readonly inParts: number;
  /** Of what the child of a sandbox is asked: it dies, or there is no room for it. */
  readonly childLost: number;
  /** Of the times that a child of a sandbox comes to rest: it has to make room. */
  readonly evicted: number;
  /** Of deliveries and acknowledgements. */
  readonly undelivered: number;
  /** By how much a machine's clock may be wrong. */
  readonly skewMs: number;
  /** Of work: nobody does it, it is answered late, twice, by a stranger. */
  readonly badWork: number;
}

export const NO_FAULTS: FaultRates = {
  lost: 0,
  unanswered: 0,
  slow: 0,
  crash: 0,
  freeze: 0,
  inParts: 0,
  childLost: 0,
  evicted: 0,
  undelivered: 0,
  skewMs: 0,
  badWork: 0,
};

/** Each seed has its own weather: some kinds of faults often, others not at all, so that what is rare meets. */
export function faultsOf(random: Random): FaultRates {
  const some = (most: number): number => (random.chance(0.4) ? 0 : most * random.fraction());
  return {
    lost: some(0.06),
    unanswered: some(0.06),
    slow: some(0.05),
    crash: some(0.04),
    freeze: some(0.02),
    inParts: some(0.3),
    childLost: some(0.1),
    evicted: some(0.5),
    undelivered: some(0.1),
    skewMs: random.chance(0.5) ? 0 : random.between(1, 3_000),
    badWork: some(0.5),
  };
}
