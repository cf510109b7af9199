import type { Random } from '@reins/chaos/random';

/** Probabilities of faults, from 0 to 1, and the clock skew in virtual milliseconds. */
export interface FaultRates {
  /** A call: the request is lost. */
  readonly lost: number;
  /** A call: it is executed, and the response is lost. */
  readonly unanswered: number;
  /** A call: it takes longer than a lease lasts. */
  readonly slow: number;
  /** A call: the machine crashes during it. */
  readonly crash: number;
  /** A call: the machine freezes for longer than its leases last. */
  readonly freeze: number;
  /** A read of a journal: it happens in two parts. */
  readonly inParts: number;
  /** A request to a sandbox child: the child dies, or no slot is free. */
  readonly childLost: number;
  /** An idle sandbox child: it is evicted. */
  readonly evicted: number;
  /** A delivery or an acknowledgement is lost. */
  readonly undelivered: number;
  /** Maximum error of a machine's clock. */
  readonly skewMs: number;
  /** Work: it is not done, or answered late, twice, or with a wrong id. */
  readonly badWork: number;
  /** A renewal: it is confirmed late, and so are the next ones. */
  readonly lateRenewals: number;
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
  lateRenewals: 0,
};

/** Most clocks are seconds apart, some are minutes apart. */
const SKEWS_MS = [3_000, 3_000, 3_000, 300_000] as const;

/** Each seed has its own fault rates: some kinds are frequent and others absent, so that rare combinations occur. */
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
    skewMs: random.chance(0.5) ? 0 : random.between(1, random.pick(SKEWS_MS)),
    badWork: some(0.5),
    lateRenewals: some(0.3),
  };
}
