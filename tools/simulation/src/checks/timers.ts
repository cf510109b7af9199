import { hasEnded } from '@reins/journal';
import type { SimulatedCase } from './case.ts';
import { about, type Check } from './common.ts';

/** How long timers may remain after the end of their run, because calls to clear them fail at first. */
const TIMERS_LEFT_MS = 200_000;

/**
 * The timers of an ended run leave the stream, if it had one owner. A former owner may schedule a timer after the next
 * owner has ended the run. When the timer is due, it changes nothing.
 */
export const timers: Check = ({ server }) => {
  const { due, schedules } = server.inbox;
  const ends = endsOf(server.journals);
  const left = [...schedules.keys()].map((subject) => ({ subject, at: Number.POSITIVE_INFINITY }));
  return [...due, ...left].flatMap(({ at, subject }) => {
    const runId = subject.split('.')[3] ?? '';
    return at - (ends.get(runId) ?? at) > TIMERS_LEFT_MS
      ? [about(runId, `a timer of the ended run is left: ${subject}`)]
      : [];
  });
};

/** When the end of each run with one owner was stored, by the clock of the server. */
function endsOf({ allCommits }: SimulatedCase['server']['journals']): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  const epochs = new Map<string, number>();
  for (const { commit, storedAt, subject } of allCommits) {
    const runId = subject.split('.')[3] ?? '';
    const hadOneOwner = (epochs.get(runId) ?? commit.epoch) === commit.epoch;
    epochs.set(runId, hadOneOwner ? commit.epoch : SEVERAL);
    if (hadOneOwner && !ends.has(runId) && commit.entries.some(({ type }) => hasEnded(type))) ends.set(runId, storedAt);
  }
  return ends;
}

const SEVERAL = Number.NaN;
