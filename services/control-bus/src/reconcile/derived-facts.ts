import type { RunAddress } from '@reins/contracts';
import { applyEntry, type Emission, type Entry, emptyRun } from '@reins/journal';
import { fetchRequests } from '../run/lifecycle/large-values.ts';
import { applyWithReaction, type Reaction } from '../run/lifecycle/reaction.ts';
import type { RunPorts } from '../run/run-ports.ts';

/** The facts that follow from the entries with these versions, in order. */
export async function derivedFacts(
  ports: Pick<RunPorts, 'values'>,
  run: RunAddress,
  entries: readonly Entry[],
  [from, to]: readonly [number, number],
): Promise<readonly Emission[]> {
  const state = emptyRun(run);
  const reaction: Reaction = { entries, emissions: [], followUps: [] };
  for (const entry of entries.filter(({ version }) => version < from)) applyEntry(state, entry);
  await fetchRequests(state, ports.values);
  for (const entry of entries.filter(({ version }) => version >= from && version <= to))
    await applyWithReaction(ports, state, entry, reaction);
  return reaction.emissions;
}
