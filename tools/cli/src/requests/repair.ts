import { isReinsError, ReinsError } from '@reins/contracts';
import {
  CorruptedJournalError,
  type Entry,
  type EntryIssue,
  foldRun,
  hasEnded,
  type RecoveredJournal,
} from '@reins/journal';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { INTACT, type RepairReport } from '../runs/repair-report.ts';
import { submitFork } from './fork.ts';
import { missingValues, replayWith, withSources } from './replay.ts';
import { type FoundRun, withRun } from './request-journal.ts';

/** The plan of a repair: the entries that a new run can share, and those that are dropped. */
interface Plan {
  readonly shared: readonly Entry[];
  readonly dropped: readonly EntryIssue[];
}

/**
 * Repairs the corrupted journal of a request. A stream is never rewritten: a fork continues from the entries that can be kept. The corrupted
 * journal stays unchanged and its run is halted.
 * @throws ReinsError `journal_corrupt` when no entry can be kept · `replay_nondeterminism` when the process does not reproduce the entries
 */
export function repairRequest(context: CliContext, requestId: string, isDryRun: boolean): Promise<RepairReport> {
  return withRun(context, requestId, async (found) => {
    const journal = await found.load().catch(asCorruptedJournal);
    if (!(journal instanceof CorruptedJournalError))
      return { ...intactReport(requestId, journal, await missingValueMessages(found, journal)), isDryRun };
    const { suspicious, warnings: missed } = journal.recovered;
    const { shared, dropped } = await planOf(context, found, journal);
    const warnings = [...missed, ...(await missingValueMessages(found, shared))];
    const about = { requestId, backupDir: null };
    const counts = { originalCommits: journal.messages, keptEvents: shared.length };
    const plan = {
      dropped: dropped.toSorted(byEntryNumber),
      suspicious,
      warnings,
      whole: false,
      journal: counts,
      isDryRun,
    };
    const kept = `${shared.length} entries`;
    if (isDryRun) return { ...plan, about, line: `a new run would continue from ${kept}` };
    if (shared.length === 0) throw nothingLeft(requestId, warnings);
    const repairedAs = await submitFork(context, found.run, shared, found.values, { stage: [] });
    return {
      ...plan,
      warnings: [...warnings, ...(await haltCorruptedRun(context, journal))],
      about: { ...about, repairedAs, forkedFrom: { requestId, at: shared.length } },
      line: `${repairedAs} continues from ${kept}; ${requestId} is unchanged`,
    };
  });
}

function asCorruptedJournal(error: unknown): CorruptedJournalError {
  if (error instanceof CorruptedJournalError) return error;
  throw error;
}

/** The messages about large values that are missing. */
async function missingValueMessages({ values }: FoundRun, entries: readonly Entry[]): Promise<string[]> {
  return (await missingValues({ entries, values })).map(({ message }) => message);
}

/** Keeps the entries that the process reproduces: all recovered ones, or else those before the corruption. */
async function planOf(
  context: CliContext,
  found: FoundRun,
  { recovered, validPrefix }: CorruptedJournalError,
): Promise<Plan> {
  const end = recovered.entries.findIndex(({ type }) => endsRun(type));
  const open = end < 0 ? recovered.entries.length : end;
  const dropped = [
    ...recovered.dropped,
    ...recovered.entries.slice(open).map((entry, i) => droppedEntry(recovered, open + i, entry, ENDED)),
  ];
  if (open === 0) return { shared: [], dropped };
  const divergence = await divergenceIn(context, found, recovered.entries.slice(0, open));
  if (!divergence) return { shared: recovered.entries.slice(0, open), dropped };
  const at = Math.min(open, validPrefix.entries.length);
  const shared = recovered.entries.slice(0, at);
  const wrong = at < open ? await divergenceIn(context, found, shared) : divergence;
  if (wrong) throw wrong;
  // The recovered entries have other numbers than the entries of the corrupted journal.
  const why = `the process does not reproduce this entry without the lost ones: ${divergence.message.replace(/ \(entry \d+\)/, '')}`;
  const rest = recovered.entries.slice(at, open).map((entry, i) => droppedEntry(recovered, at + i, entry, why));
  return { shared, dropped: [...dropped, ...rest] };
}

/** Sorts by entry number. Unreadable messages, which have none, come first. */
const byEntryNumber = (a: EntryIssue, b: EntryIssue): number => numberOf(a) - numberOf(b);
const numberOf = ({ name }: EntryIssue): number => Number(/^entry (\d+)$/.exec(name)?.[1] ?? 0);

/** Whether a run cannot continue after such an entry. */
const endsRun = (type: string): boolean => type === 'RUN_CANCEL_REQUESTED' || hasEnded(type);
const ENDED = 'the entry ends the run or follows its end, so the new run leaves it out';

const droppedEntry = ({ names }: RecoveredJournal, at: number, { type }: Entry, why: string): EntryIssue => ({
  name: names[at] ?? `entry ${at + 1}`,
  why,
  type,
});

function divergenceIn(
  context: CliContext,
  { bus, run, values }: FoundRun,
  entries: readonly Entry[],
): Promise<ReinsError | undefined> {
  return withSources(
    context,
    bus,
    async (sources) => (await replayWith(sources, { run, entries, blobs: values })).divergence?.error,
  );
}

/** Halts the corrupted run, so that it does not run next to the new one. @returns a warning if that fails */
async function haltCorruptedRun(
  context: CliContext,
  { recovered, corruptionEnd, run }: CorruptedJournalError,
): Promise<string[]> {
  if (corruptionEnd.length > 0 || foldRun(run, recovered.entries).end) return [];
  const body = { reason: 'the journal is corrupted; another run continues from its intact entries' };
  try {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    await new GatewayClient(gatewayAddress(context)).post(`/requests/${run.runId}/halt`, body, headers);
    return [];
  } catch (error) {
    if (!isReinsError(error)) throw error;
    return error.code === 'request_ended' ? [] : [`could not halt ${run.runId}: ${error.message}`];
  }
}

const intactReport = (requestId: string, { length }: readonly Entry[], warnings: readonly string[]) => ({
  about: { requestId, backupDir: null },
  journal: { keptEvents: length },
  dropped: [],
  suspicious: [],
  warnings,
  whole: true,
  line: INTACT,
});

const nothingLeft = (requestId: string, warnings: readonly string[]): ReinsError =>
  new ReinsError({
    code: 'journal_corrupt',
    message: ['no entry of the journal can be kept; the journal was left unchanged', ...warnings].join('; '),
    path: requestId,
    hint: 'List all problems with run:repair-journal --dry-run. The event log still has the request: `reins requests show`.',
  });
