import type { RunAddress } from '@reins/contracts';
import { applyEntry, type Emission, type Entry, emptyRun, factsOf, foldRun, isRestoredEnd } from '@reins/journal';
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

/**
 * The facts of an end that was restored from the event log, if the event log has lost it since. Nothing else publishes
 * them.
 */
export async function lostEndFacts(
  { publishedEnd }: Pick<RunPorts, 'publishedEnd'>,
  run: RunAddress,
  entries: readonly Entry[],
  [from, to]: readonly [number, number],
): Promise<readonly Emission[]> {
  const end = entries.findLast(isRestoredEnd);
  if (!end || end.version < from || end.version > to || (await publishedEnd?.(run))) return [];
  const state = foldRun(
    run,
    entries.filter(({ version }) => version <= end.version),
  );
  const { sealed: _, ...data } = end.data as { readonly sealed?: string };
  return factsOf(state, { ...end, data } as Entry);
}
