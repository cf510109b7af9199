import type { RunAddress } from '@reins/contracts';
import { runKeyOf } from '../partition/live-run-index.ts';
import type { Anchor } from './anchors.ts';
import type { FactMark } from './reconcile.ts';
import type { ReconcilerStreams } from './reconciler-ports.ts';

/** A run that has commits or facts after the last position that is known to be complete. */
export interface Candidate {
  readonly run: RunAddress;
  /** The versions of its entries after that position; undefined if only facts are known. */
  versions: readonly [first: number, last: number] | undefined;
  /** The run was archived: its commits after that position have left the stream, so all its facts are compared. */
  isArchived: boolean;
  readonly facts: FactMark[];
}

/**
 * Finds what both streams have after an anchor, for one partition. The facts are read last: they follow the commits. Facts
 * of lost commits may be before the place of the anchor in the event log.
 * @param signal ends the search: without the lease, the result is not needed
 * @throws the reason of the signal; ReinsError of the bus
 */
export async function candidatesAfter(
  streams: Pick<ReconcilerStreams, 'commits' | 'facts'>,
  partition: number,
  { journal, events, laterFactsAfter = events.seq }: Anchor,
  signal: AbortSignal,
): Promise<Map<string, Candidate>> {
  const found = new Map<string, Candidate>();
  const of = (run: RunAddress): Candidate => {
    const known = found.get(runKeyOf(run));
    if (known) return known;
    const added: Candidate = { run, versions: undefined, isArchived: false, facts: [] };
    found.set(runKeyOf(run), added);
    return added;
  };
  for await (const { run, firstVersion, lastVersion, isStub } of streams.commits(partition, journal.seq)) {
    signal.throwIfAborted();
    const candidate = of(run);
    candidate.versions = isStub ? [1, lastVersion] : [candidate.versions?.[0] ?? firstVersion, lastVersion];
    candidate.isArchived = isStub;
  }
  for await (const { run, ...fact } of streams.facts(partition, laterFactsAfter, signal)) {
    signal.throwIfAborted();
    of(run).facts.push(fact);
  }
  return found;
}
