import type { RunAddress } from '@reins/contracts';
import {
  applyEntry,
  type Emission,
  type Entry,
  emptyRun,
  factsOf,
  type LoadedJournal,
  type RunState,
} from '@reins/journal';
import { type FollowUp, followUpsOf } from '../publish/follow-ups.ts';
import type { RunPorts } from '../run-ports.ts';
import { fetchRequests, withStoredValue } from './large-values.ts';

/** A commit with its facts and follow-ups. */
export interface Reaction {
  readonly entries: readonly Entry[];
  readonly emissions: Emission[];
  readonly followUps: FollowUp[];
}

/** The form of an entry in memory: requests in full, because later attempts need them; results by reference. */
export const entryForState = (whole: Entry, sealed: Entry | undefined): Entry =>
  sealed === undefined || whole.type === 'EFFECT_REQUESTED' ? whole : sealed;

/** Folds a journal, and returns the state with the facts and follow-ups of the last commit. */
export async function foldWithReaction(
  ports: Pick<RunPorts, 'values'>,
  run: RunAddress,
  { entries, lastCommitSize }: Pick<LoadedJournal, 'entries' | 'lastCommitSize'>,
) {
  const state = emptyRun(run);
  const from = entries.length - lastCommitSize;
  const reaction: Reaction = { entries, emissions: [], followUps: [] };
  for (const entry of entries.slice(0, from)) applyEntry(state, entry);
  await fetchRequests(state, ports.values);
  for (const entry of entries.slice(from)) await applyWithReaction(ports, state, entry, reaction);
  return { state, ...reaction };
}

/** Applies an entry to the state, and adds its facts and follow-ups to the reaction. */
export async function applyWithReaction(
  { values }: Pick<RunPorts, 'values'>,
  state: RunState,
  entry: Entry,
  { emissions, followUps }: Reaction,
): Promise<void> {
  const whole = await withStoredValue(entry, values);
  applyEntry(state, entryForState(whole, entry));
  emissions.push(...factsOf(state, whole));
  followUps.push(...followUpsOf(state, whole));
}
