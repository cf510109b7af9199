import type { CommandRunSubmit, ErrorInfo } from '@reins/contracts';
import {
  applyEntry,
  type DamagedJournal,
  type Emission,
  type Entry,
  type EntryDraft,
  factsOf,
  foldRun,
  pendingEffects,
  type RunState,
  sealEntries,
  wrongAsNext,
} from '@reins/journal';
import { DEFAULT_PROCESS } from '../processes/registry.ts';
import { cancelAll } from './cancel.ts';
import { createRun } from './create-run.ts';
import { followUpsOf } from './follow-ups.ts';
import type { Reaction } from './reaction.ts';
import type { RunOwner, RunPorts, TerminalFact } from './run-ports.ts';

/** The fold of what of a damaged journal is lawful where it stands, with the run's end where it has one; and what follows from that end. */
export interface CorruptedRun extends Pick<Reaction, 'emissions' | 'followUps'> {
  readonly state: RunState;
}

/**
 * A run whose journal is damaged does not go on: nobody knows what it has done. One that had ended has ended as it did.
 * @throws DamagedJournal of one that was archived: that had ended, and there is nothing to add behind its stub
 */
export function foldCorruptedRun(journal: DamagedJournal): CorruptedRun {
  const { run, mended, seal, last } = journal;
  const damaged: CorruptedRun = { state: foldRun(run, mended.entries), emissions: [], followUps: [] };
  const { state } = damaged;
  if (last?.type === 'RUN_ARCHIVED' || state.archive) throw journal;
  for (const entry of seal) {
    const { type, data, recordedAt } = entry;
    const [resealed] = sealEntries(state.head, [{ type, data } as EntryDraft], recordedAt) as [Entry];
    if (wrongAsNext(state, resealed) === undefined) applyEntry(state, resealed);
    collectConsequences(damaged, entry);
  }
  if (seal.length > 0 || !state.end) return damaged;
  // As it was written where that is what is last: what it is told by has its hash.
  const end = last?.type === `RUN_${state.end.status.toUpperCase()}` ? last : mended.entries.at(-1);
  if (end) collectConsequences(damaged, end);
  return damaged;
}

/** What of it is still to be told: there is one terminal fact, whatever the damage has made of the entry that it follows from. */
export async function unpublishedFacts(
  { publishedEnd }: Pick<RunPorts, 'publishedEnd'>,
  { state, emissions }: CorruptedRun,
): Promise<Emission[]> {
  const told = await publishedEnd?.(state.run);
  return emissions.filter(({ terminal }) => !(terminal && told));
}

/** Where even the beginning is gone, that was told before; so was an end that the log knew. */
function collectConsequences({ state, emissions, followUps }: CorruptedRun, entry: Entry): void {
  if (entry.type === 'RUN_CREATED') return;
  const wasTold = 'sealed' in entry.data && entry.data.sealed === 'told';
  if (!wasTold) emissions.push(...factsOf(state, entry));
  followUps.push(...followUpsOf(state, entry));
}

type Ports = Pick<RunPorts, 'publishedOwner' | 'publishedEnd' | 'clock' | 'defaults'>;

/**
 * Ends a run whose journal is damaged: as the log tells it has ended, where the damage hides just that; otherwise all that is known to be under
 * way is cancelled, and it has failed. Of one whose beginning is gone the log still knows whose it is.
 * @throws DamagedJournal where nobody knows that
 */
export async function endCorruptedRun(ports: Ports, state: RunState, damaged: DamagedJournal): Promise<Reaction> {
  const now = ports.clock.now().toISOString();
  const entries = sealEntries(state.head, await endingDrafts(ports, state, damaged), now);
  const ended: CorruptedRun = { state, emissions: [], followUps: [] };
  for (const entry of entries) {
    applyEntry(state, entry);
    collectConsequences(ended, entry);
  }
  return { ...ended, entries };
}

async function endingDrafts(ports: Ports, state: RunState, damaged: DamagedJournal): Promise<EntryDraft[]> {
  const told = await ports.publishedEnd?.(state.run);
  const end: EntryDraft = told
    ? draftOfPublishedEnd(told)
    : { type: 'RUN_FAILED', data: { error: errorOf(damaged), sealed: 'failed' } };
  if (state.head.version > 0) return told ? [end] : [...cancelAll(pendingEffects(state)), end];
  const owner = told ?? (await ports.publishedOwner?.(state.run));
  if (!owner) throw damaged;
  return [...beginning(ports, state, owner), end];
}

function draftOfPublishedEnd(fact: TerminalFact): EntryDraft {
  switch (fact.type) {
    case 'runtime.request.completed':
      return fact.halted
        ? { type: 'RUN_HALTED', data: { payload: fact.output, sealed: 'told' } }
        : { type: 'RUN_COMPLETED', data: { output: fact.output, sealed: 'told' } };
    case 'runtime.request.failed':
      return { type: 'RUN_FAILED', data: { error: fact.error, sealed: 'told' } };
    case 'runtime.request.cancelled':
      return {
        type: 'RUN_CANCELLED',
        data: { ...(fact.reason !== undefined && { reason: fact.reason }), sealed: 'told' },
      };
  }
}

function errorOf(damaged: DamagedJournal): ErrorInfo {
  const [{ code, message, path, hint } = damaged] = damaged.problems;
  return { code, message, ...(path !== undefined && { path }), ...(hint !== undefined && { hint }) };
}

/** As far as anybody knows it still. */
function beginning(
  { clock, defaults }: Ports,
  { run: { workspaceId, runId: requestId } }: RunState,
  { sessionId, agentId }: RunOwner,
): EntryDraft[] {
  const submit: CommandRunSubmit = {
    type: 'command.run.submit',
    requestId,
    workspaceId,
    sessionId,
    agentId,
    idempotencyKey: requestId,
    revision: UNKNOWN,
    input: null,
    submittedAt: clock.now().toISOString(),
  };
  return createRun(submit, { ...defaults(), process: { id: DEFAULT_PROCESS, codeHash: 'none' }, session: {} });
}

/** The tree of a run of which nobody knows that any more. */
const UNKNOWN = '0'.repeat(64);
