import { type Problem, ReinsError, type RunAddress } from '@reins/contracts';
import {
  asCorruptedJournal,
  CorruptedJournalError,
  type Emission,
  type Entry,
  type EntryDraft,
  foldRun,
  hasEnded,
  type LoadedJournal,
  sealEntries,
} from '@reins/journal';
import { restoredEnd } from '../run/lifecycle/corrupted-run.ts';
import { Fenced } from '../run/lifecycle/run-errors.ts';
import { DAMAGE_KEY } from '../run/publish/publish-facts.ts';
import type { RunJournal } from '../run/run-ports.ts';
import type { Candidate } from './candidates.ts';
import { derivedFacts, lostEndFacts } from './derived-facts.ts';
import { isAnswerNeeded } from './needed-answers.ts';
import { type FactMark, type Findings, type Remedy, reconcile } from './reconcile.ts';
import type { ReconcilerPorts } from './reconciler-ports.ts';

export interface ReconcileRunPorts extends Pick<ReconcilerPorts, 'run' | 'log' | 'onRepaired'> {
  readonly streams: Pick<ReconcilerPorts['streams'], 'factsOf' | 'keptMs'>;
  readonly journal: Pick<RunJournal, 'load' | 'append' | 'epoch'>;
}

/**
 * Publishes the missing facts of a run. A run whose journal lost entries ends as in the event log, or waits for an
 * operator. Call it in the queue of the run.
 * @param isLoading the caller loads the run next, which publishes the facts of its last commit
 * @returns whether entries were appended: the run has to be loaded, so that what follows from them happens
 * @throws Fenced; ReinsError of the bus
 */
export async function reconcileRun(
  ports: ReconcileRunPorts,
  { run, versions, isArchived, facts }: Candidate,
  isLoading: boolean,
): Promise<boolean> {
  const journal = await ports.journal.load(run).catch(asCorruptedJournal);
  // Its owner ends a run whose journal is corrupted.
  if (journal instanceof CorruptedJournalError) return false;
  if ((journal.epoch ?? 0) > ports.journal.epoch) throw new Fenced(run.runId);
  const { entries, head, lastCommitSize } = journal;
  const followed = versions ? await derivedFacts(ports.run, run, entries, versions) : [];
  const derived = versions ? [...followed, ...(await lostEndFacts(ports.run, run, entries, versions))] : [];
  const isOver = hasEnded(entries.at(-1)?.type ?? '');
  const compare = (stored: readonly FactMark[]): Findings => reconcile({ entries, hasEnded: isOver, derived, stored });
  const allFacts = async (): Promise<Findings> => compare(await Array.fromAsync(ports.streams.factsOf(run)));
  const found = isArchived ? await allFacts() : compare(facts);
  // Facts that were still being published when the candidates were read, such as its end, are stored by now.
  const { missing, strays, remedy } = found.remedy === 'damage' ? await allFacts() : found;
  const lost = new Set(missing);
  // After a repair, the caller loads another last commit.
  if (isLoading && remedy === 'none')
    for (const { id, version } of followed) if (version > head.version - lastCommitSize) lost.delete(id);
  const late = derived.filter(({ id }) => lost.has(id));
  if (late.length > 0)
    await publishLate(ports, run, entries, isOver ? await withoutExpired(ports, entries, late) : late);
  if (strays.length > 0 && remedy === 'none')
    ports.log.warn({ ...run, facts: strays.length }, 'facts of lost journal entries found, the run has ended');
  return remedy !== 'none' && repair(ports, run, journal, remedy, strays);
}

/** Publishes missing facts. A worker performs only the requests whose answer the run still needs. */
async function publishLate(
  { run: { factPublisher }, onRepaired, log }: ReconcileRunPorts,
  run: RunAddress,
  entries: readonly Entry[],
  facts: readonly Emission[],
): Promise<void> {
  if (facts.length === 0) return;
  const state = foldRun(run, entries);
  const withoutReply = new Set(facts.filter(({ body }) => !isAnswerNeeded(state, body)).map(({ id }) => id));
  await factPublisher.publish(facts, undefined, { repaired: true, withoutReply });
  onRepaired('fact', facts.length);
  log.warn({ ...run, facts: facts.length }, 'missing facts published');
}

/** The facts that the event log would still have: older ones are not lost, they have expired. */
async function withoutExpired(
  { run: { clock }, streams }: ReconcileRunPorts,
  entries: readonly Entry[],
  facts: readonly Emission[],
): Promise<readonly Emission[]> {
  const since = clock.now().getTime() - (await streams.keptMs());
  const kept = new Set(
    entries.filter(({ recordedAt }) => Date.parse(recordedAt) > since).map(({ version }) => version),
  );
  return facts.filter(({ version }) => kept.has(version));
}

/** @returns false when the run was repaired before */
async function repair(
  ports: ReconcileRunPorts,
  run: RunAddress,
  { entries, position }: LoadedJournal,
  remedy: Remedy,
  strays: readonly FactMark[],
): Promise<boolean> {
  const state = foldRun(run, entries);
  const error = damageOf(strays);
  // Unique for each damage of a run.
  const idempotencyKey = `${DAMAGE_KEY}${Math.max(...strays.map(({ version }) => version))}.${strays.length}`;
  if (state.commands.has(idempotencyKey)) return false;
  const pause: EntryDraft = { type: 'RUN_PAUSED', data: { idempotencyKey, error: { ...error } } };
  const isDamaged = remedy === 'damage' && entries.length > 0;
  const drafts = isDamaged ? [pause] : await restoredEnd(ports.run, state, error);
  if (!drafts) throw new ReinsError({ ...error, path: run.runId });
  const sealed = sealEntries(state.head, drafts, ports.run.clock.now().toISOString());
  const appended = await ports.journal.append(run, { entries: sealed, epoch: ports.journal.epoch }, position);
  if (appended.outcome === 'fenced') throw new Fenced(run.runId);
  ports.onRepaired(isDamaged ? 'damaged' : 'end', 1);
  ports.log.error({ ...run, error }, isDamaged ? 'run damaged' : 'run ended, its journal lost entries');
  return true;
}

/** Says which entries are lost. */
function damageOf(strays: readonly FactMark[]): Problem {
  const versions = strays.map(({ version }) => version);
  const [first, last] = [Math.min(...versions), Math.max(...versions)];
  const which = first === last ? `entry ${first}` : `entries ${first} to ${last}`;
  return {
    code: 'run_damaged',
    message: `the event log has facts of ${which}, which the journal has lost`,
    path: 'JOURNAL',
    hint: 'Resume the run to continue it from its journal, or cancel it.',
  };
}
