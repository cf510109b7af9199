import type { CommandRunSubmit, ErrorInfo } from '@reins/contracts';
import {
  applyEntry,
  type DamagedJournal,
  type Entry,
  type EntryDraft,
  factsOf,
  foldRun,
  type RunState,
  sealEntries,
  wrongAsNext,
} from '@reins/journal';
import { stillborn } from './begin-run.ts';
import { failNow } from './cancel.ts';
import { followUpsOf } from './follow-ups.ts';
import type { Reaction } from './reaction.ts';
import type { RunPorts } from './run-ports.ts';

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
  if (last?.type === 'RUN_ARCHIVED') throw journal;
  const damaged: DamagedRun = { state: foldRun(run, mended.entries), emissions: [], followUps: [] };
  const { state } = damaged;
  for (const entry of seal) {
    const { type, data, recordedAt } = entry;
    const [anew] = sealEntries(state.head, [{ type, data } as EntryDraft], recordedAt) as [Entry];
    if (wrongAsNext(state, anew) === undefined) applyEntry(state, anew);
    follow(damaged, entry);
  }
  if (seal.length === 0 && last && last.type === `RUN_${state.end?.status.toUpperCase()}`) follow(damaged, last);
  return damaged;
}

/** Where even the beginning is gone, that was told before. */
function follow({ state, emissions, followUps }: DamagedRun, entry: Entry): void {
  if (entry.type === 'RUN_CREATED') return;
  emissions.push(...factsOf(state, entry));
  followUps.push(...followUpsOf(state, entry));
}

/**
 * Ends a run whose journal is damaged: all that is known to be under way is cancelled, and it has failed. Of one whose beginning is gone the
 * log still knows whose it is.
 * @throws DamagedJournal where nobody knows that
 */
export async function endOfDamaged(
  ports: Pick<RunPorts, 'begun' | 'clock' | 'defaults'>,
  state: RunState,
  damaged: DamagedJournal,
): Promise<Reaction> {
  const now = ports.clock.now().toISOString();
  const entries = sealEntries(state.head, await endingDrafts(ports, state, damaged), now);
  const ended: DamagedRun = { state, emissions: [], followUps: [] };
  for (const entry of entries) {
    applyEntry(state, entry);
    follow(ended, entry);
  }
  return { ...ended, entries };
}

async function endingDrafts(
  ports: Pick<RunPorts, 'begun' | 'clock' | 'defaults'>,
  state: RunState,
  damaged: DamagedJournal,
): Promise<EntryDraft[]> {
  const [problem = damaged] = damaged.problems;
  const { code, message, path, hint } = problem;
  const error: ErrorInfo = { code, message, ...(path !== undefined && { path }), ...(hint !== undefined && { hint }) };
  if (state.head.version > 0) return failNow(state, error);
  const begun = await ports.begun?.(state.run);
  if (!begun) throw damaged;
  const { workspaceId, runId: requestId } = state.run;
  const submit: CommandRunSubmit = {
    type: 'command.run.submit',
    requestId,
    workspaceId,
    ...begun,
    idempotencyKey: requestId,
    revision: UNKNOWN,
    input: null,
    submittedAt: ports.clock.now().toISOString(),
  };
  return stillborn(ports, submit, problem);
}

/** The tree of a run of which nobody knows that any more. */
const UNKNOWN = '0'.repeat(64);
