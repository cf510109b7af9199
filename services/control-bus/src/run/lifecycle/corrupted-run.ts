import { type CommandRunSubmit, defined, type ErrorInfo } from '@reins/contracts';
import {
  applyEntry,
  type CorruptedJournalError,
  type Emission,
  type Entry,
  type EntryDraft,
  factsOf,
  foldRun,
  pendingEffects,
  type RunState,
  sealEntries,
  validateNextEntry,
} from '@reins/journal';
import { DEFAULT_PROCESS } from '../../processes/registry.ts';
import { cancelAll } from '../decide/cancel.ts';
import { followUpsOf } from '../publish/follow-ups.ts';
import type { RunOwner, RunPorts, TerminalFact } from '../run-ports.ts';
import { createRun } from './create-run.ts';
import type { Reaction } from './reaction.ts';

/** The state of the valid part of a corrupted journal, including the run's end if any, and what follows from that end. */
export interface CorruptedRun extends Pick<Reaction, 'emissions' | 'followUps'> {
  readonly state: RunState;
}

/**
 * Folds a corrupted journal. The run cannot continue, because its effects are unknown. A run that had ended keeps its end.
 * @throws CorruptedJournalError for an archived run: it had ended, and nothing may follow its stub
 */
export function foldCorruptedRun(journal: CorruptedJournalError): CorruptedRun {
  const { run, recovered, corruptionEnd, last } = journal;
  const corrupted: CorruptedRun = { state: foldRun(run, recovered.entries), emissions: [], followUps: [] };
  const { state } = corrupted;
  if (last?.type === 'RUN_ARCHIVED' || state.archive) throw journal;
  for (const entry of corruptionEnd) {
    const { type, data, recordedAt } = entry;
    const [resealed] = sealEntries(state.head, [{ type, data } as EntryDraft], recordedAt) as [Entry];
    if (validateNextEntry(state, resealed) === undefined) applyEntry(state, resealed);
    collectConsequences(corrupted, entry);
  }
  if (corruptionEnd.length > 0 || !state.end) return corrupted;
  // Prefer the end as it was written: the id of its fact contains its hash.
  const end = last?.type === `RUN_${state.end.status.toUpperCase()}` ? last : recovered.entries.at(-1);
  if (end) collectConsequences(corrupted, end);
  return corrupted;
}

/** The facts to publish. A published terminal fact is left out, even when the corruption changed the entry behind it. */
export async function unpublishedFacts(
  { publishedEnd }: Pick<RunPorts, 'publishedEnd'>,
  { state, emissions }: CorruptedRun,
): Promise<Emission[]> {
  const published = await publishedEnd?.(state.run);
  return emissions.filter(({ terminal }) => !(terminal && published));
}

/** Skips facts that were published before: the start of the run, and an end that was restored from the event log. */
function collectConsequences({ state, emissions, followUps }: CorruptedRun, entry: Entry): void {
  if (entry.type === 'RUN_CREATED') return;
  const wasPublished = 'sealed' in entry.data && entry.data.sealed === 'told';
  if (!wasPublished) emissions.push(...factsOf(state, entry));
  followUps.push(...followUpsOf(state, entry));
}

type Ports = Pick<RunPorts, 'publishedOwner' | 'publishedEnd' | 'clock' | 'defaults'>;

/**
 * Ends a run whose journal is corrupted. If the event log has its terminal fact, the run ends in the same way.
 * Otherwise its known pending effects are cancelled and the run fails. If the first entry is lost, the event log
 * provides the session and agent.
 * @throws CorruptedJournalError when the event log does not have them either
 */
export async function endCorruptedRun(
  ports: Ports,
  state: RunState,
  damaged: CorruptedJournalError,
): Promise<Reaction> {
  const now = ports.clock.now().toISOString();
  const entries = sealEntries(state.head, await endingDrafts(ports, state, damaged), now);
  const ended: CorruptedRun = { state, emissions: [], followUps: [] };
  for (const entry of entries) {
    applyEntry(state, entry);
    collectConsequences(ended, entry);
  }
  return { ...ended, entries };
}

async function endingDrafts(ports: Ports, state: RunState, damaged: CorruptedJournalError): Promise<EntryDraft[]> {
  const drafts = await restoredEnd(ports, state, errorOf(damaged));
  if (!drafts) throw damaged;
  return drafts;
}

/**
 * The entries that end a run as the event log does. Without a terminal fact, its pending effects are cancelled and
 * the run fails. If the first entry is lost, the event log provides the session and agent.
 * @returns undefined when the event log does not have them either
 */
export async function restoredEnd(ports: Ports, state: RunState, error: ErrorInfo): Promise<EntryDraft[] | undefined> {
  const published = await ports.publishedEnd?.(state.run);
  const end: EntryDraft = published
    ? draftOfPublishedEnd(published)
    : { type: 'RUN_FAILED', data: { error, sealed: 'failed' } };
  if (state.head.version > 0) return published ? [end] : [...cancelAll(pendingEffects(state)), end];
  const owner = (await ports.publishedOwner?.(state.run)) ?? published;
  return owner && [...recreatedRun(ports, state, owner), end];
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
        data: { ...defined({ reason: fact.reason }), sealed: 'told' },
      };
  }
}

function errorOf(damaged: CorruptedJournalError): ErrorInfo {
  const [{ code, message, path, hint } = damaged] = damaged.problems;
  return { code, message, ...defined({ path, hint }) };
}

/** A replacement for a lost first entry. */
function recreatedRun(
  { clock, defaults }: Ports,
  { run: { workspaceId, runId: requestId } }: RunState,
  { sessionId, agentId, input = null, parent }: RunOwner,
): EntryDraft[] {
  const submit: CommandRunSubmit = {
    type: 'command.run.submit',
    requestId,
    workspaceId,
    sessionId,
    agentId,
    idempotencyKey: requestId,
    revision: UNKNOWN_REVISION,
    input,
    ...defined({ parent }),
    submittedAt: clock.now().toISOString(),
  };
  return createRun(submit, { ...defaults(), process: { id: DEFAULT_PROCESS, codeHash: 'none' }, session: {} });
}

/** The revision of a run whose first entry is lost. */
const UNKNOWN_REVISION = '0'.repeat(64);
