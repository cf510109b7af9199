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
import { type FollowUp, followUpsOf } from './follow-ups.ts';
import { fetched, fetchRequests } from './large-values.ts';
import type { RunPorts } from './run-ports.ts';

/** A commit, and what follows from it. */
export interface Reaction {
  readonly entries: readonly Entry[];
  readonly emissions: Emission[];
  readonly followUps: FollowUp[];
}

/** A request is whole in memory, so that its next attempt can be asked for; a result is not: nobody asks for it again. */
export const inState = (whole: Entry, sealed: Entry | undefined): Entry =>
  sealed === undefined || whole.type === 'EFFECT_REQUESTED' ? whole : sealed;

/** The state of a run, and what follows from its last commit, with the state that each of its entries left behind. */
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

/** An entry of the journal is part of the state, and what follows from it of the reaction. */
export async function applyWithReaction(
  { values }: Pick<RunPorts, 'values'>,
  state: RunState,
  entry: Entry,
  { emissions, followUps }: Reaction,
): Promise<void> {
  const whole = await fetched(entry, values);
  applyEntry(state, inState(whole, entry));
  emissions.push(...factsOf(state, whole));
  followUps.push(...followUpsOf(state, whole));
}
