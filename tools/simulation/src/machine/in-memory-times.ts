import { Random } from '@reins/chaos/random';

/** How long timers usually wait in memory before they are scheduled: a little less than in production, or as long. */
const USUAL_MS = [2_000, 30_000] as const;
const MIN_MS = 20;
const MAX_MS = 30_000;
/** The share of worlds in which the time is anything between these. */
const VARIED_SHARE = 0.3;
/** Where clocks are further apart than this, timers are scheduled early again and again. The usual times limit that. */
const NEAR_CLOCKS_MS = 3_000;

/**
 * Draws how long the timers of a machine wait in memory before they are scheduled. The variety has its own random
 * numbers: everything else in a world stays as it would be without it.
 * @param skewMs the maximum clock error in this world
 */
export function inMemoryTimes(seed: number, skewMs: number): (worldRandom: Random) => number {
  const random = new Random(~seed);
  const isVaried = random.chance(VARIED_SHARE) && skewMs <= NEAR_CLOCKS_MS;
  return (worldRandom) => {
    const usual = worldRandom.pick(USUAL_MS);
    return isVaried ? MIN_MS * (MAX_MS / MIN_MS) ** random.fraction() : usual;
  };
}
