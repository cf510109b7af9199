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
import type { RunOwner, RunPorts, ToldEnd } from './run-ports.ts';

/** The fold of what of a damaged journal is lawful where it stands, with the run's end where it has one; and what follows from that end. */
export interface DamagedRun extends Pick<Reaction, 'emissions' | 'followUps'> {
  readonly state: RunState;
}

/**
 * A run whose journal is damaged does not go on: nobody knows what it has done. One that had ended has ended as it did.
 * @throws DamagedJournal of one that was archived: that had ended, and there is nothing to add behind its stub
 */
export function damagedRun(journal: DamagedJournal): DamagedRun {
  const { run, mended, seal, last } = journal;
  const damaged: DamagedRun = { state: foldRun(run, mended.entries), emissions: [], followUps: [] };
  const { state } = damaged;
  if (last?.type === 'RUN_ARCHIVED' || state.archive) throw journal;
  for (const entry of seal) {
    const { type, data, recordedAt } = entry;
    const [anew] = sealEntries(state.head, [{ type, data } as EntryDraft], recordedAt) as [Entry];
    if (wrongAsNext(state, anew) === undefined) applyEntry(state, anew);
    follow(damaged, entry);
  }
  if (seal.length > 0 || !state.end) return damaged;
  // As it was written where that is what is last: what it is told by has its hash.
  const end = last?.type === `RUN_${state.end.status.toUpperCase()}` ? last : mended.entries.at(-1);
  if (end) follow(damaged, end);
  return damaged;
}

/** What of it is still to be told: there is one terminal fact, whatever the damage has made of the entry that it follows from. */
export async function untold(
  { ended }: Pick<RunPorts, 'ended'>,
  { state, emissions }: DamagedRun,
): Promise<Emission[]> {
  const told = await ended?.(state.run);
  return emissions.filter(({ terminal }) => !(terminal && told));
}

/** Where even the beginning is gone, that was told before; so was an end that the log knew. */
function follow({ state, emissions, followUps }: DamagedRun, entry: Entry): void {
  if (entry.type === 'RUN_CREATED') return;
  const wasTold = 'sealed' in entry.data && entry.data.sealed === 'told';
  if (!wasTold) emissions.push(...factsOf(state, entry));
  followUps.push(...followUpsOf(state, entry));
}

type Ports = Pick<RunPorts, 'begun' | 'ended' | 'clock' | 'defaults'>;

/**
 * Ends a run whose journal is damaged: as the log tells it has ended, where the damage hides just that; otherwise all that is known to be under
 * way is cancelled, and it has failed. Of one whose beginning is gone the log still knows whose it is.
 * @throws DamagedJournal where nobody knows that
 */
export async function endOfDamaged(ports: Ports, state: RunState, damaged: DamagedJournal): Promise<Reaction> {
  const now = ports.clock.now().toISOString();
  const entries = sealEntries(state.head, await endingDrafts(ports, state, damaged), now);
  const ended: DamagedRun = { state, emissions: [], followUps: [] };
  for (const entry of entries) {
    applyEntry(state, entry);
    follow(ended, entry);
  }
  return { ...ended, entries };
}

async function endingDrafts(ports: Ports, state: RunState, damaged: DamagedJournal): Promise<EntryDraft[]> {
  const told = await ports.ended?.(state.run);
  const end: EntryDraft = told
    ? asTold(told)
    : { type: 'RUN_FAILED', data: { error: errorOf(damaged), sealed: 'failed' } };
  if (state.head.version > 0) return told ? [end] : [...cancelAll(pendingEffects(state)), end];
  const owner = told ?? (await ports.begun?.(state.run));
  if (!owner) throw damaged;
  return [...beginning(ports, state, owner), end];
}

function asTold(fact: ToldEnd): EntryDraft {
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
