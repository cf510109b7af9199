import { isReinsError, ReinsError } from '@reins/contracts';
import { DamagedJournal, type Entry, foldRun, hasEnded, type Mended, type Wrong } from '@reins/journal';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { type RepairReport, WHOLE } from '../runs/repair-report.ts';
import { submitFork } from './fork.ts';
import { missingValues, replayWith, withSources } from './replay.ts';
import { type RequestRun, withRun } from './request-journal.ts';

/** What a repair of a request does, or would do: what a new run can share with it. */
interface Plan {
  readonly shared: readonly Entry[];
  readonly dropped: readonly Wrong[];
}

/**
 * Repairs the journal of a request. What lies in a stream is not written anew: a new run goes on from what of the damaged journal can be kept, as a
 * fork, and the damaged one stays as it is and ends.
 * @throws ReinsError `journal_corrupt` where nothing can be kept · `replay_nondeterminism` where its process does not come to what stands
 */
export function repairRequest(context: CliContext, requestId: string, isDryRun: boolean): Promise<RepairReport> {
  return withRun(context, requestId, async (found) => {
    const journal = await found.load().catch(damage);
    if (!(journal instanceof DamagedJournal))
      return { ...wholeReport(requestId, journal, await lostIn(found, journal)), isDryRun };
    const { suspicious, warnings: missed } = journal.mended;
    const { shared, dropped } = await planOf(found, journal);
    const warnings = [...missed, ...(await lostIn(found, shared))];
    const about = { requestId, backupDir: null };
    const counts = { originalCommits: journal.messages, keptEvents: shared.length };
    const plan = { dropped: dropped.toSorted(inOrder), suspicious, warnings, whole: false, journal: counts, isDryRun };
    const kept = `${shared.length} entries`;
    if (isDryRun) return { ...plan, about, line: `a new run would go on from ${kept}` };
    if (shared.length === 0) throw nothingLeft(requestId, warnings);
    const repairedAs = await submitFork(context, found.run, shared, { stage: [] });
    return {
      ...plan,
      warnings: [...warnings, ...(await endDamaged(context, journal))],
      about: { ...about, repairedAs, forkedFrom: { requestId, at: shared.length } },
      line: `${repairedAs} goes on from ${kept}; ${requestId} stays as it is`,
    };
  });
}

function damage(error: unknown): DamagedJournal {
  if (error instanceof DamagedJournal) return error;
  throw error;
}

/** Large values that are gone. */
async function lostIn({ values }: RequestRun, entries: readonly Entry[]): Promise<string[]> {
  return (await missingValues({ entries, values })).map(({ message }) => message);
}

/** As much of it as its process comes to again: all that can be kept, or else what stands before the damage. */
async function planOf(found: RequestRun, { mended, standing }: DamagedJournal): Promise<Plan> {
  const end = mended.entries.findIndex(({ type }) => isOver(type));
  const open = end < 0 ? mended.entries.length : end;
  const dropped = [
    ...mended.dropped,
    ...mended.entries.slice(open).map((entry, i) => gone(mended, open + i, entry, ENDED)),
  ];
  if (open === 0) return { shared: [], dropped };
  const divergence = await divergenceIn(found, mended.entries.slice(0, open));
  if (!divergence) return { shared: mended.entries.slice(0, open), dropped };
  const at = Math.min(open, standing.entries.length);
  const shared = mended.entries.slice(0, at);
  const wrong = at < open ? await divergenceIn(found, shared) : divergence;
  if (wrong) throw wrong;
  // Its entries have other numbers than those of the damaged journal.
  const why = `its process does not come to this without what is lost: ${divergence.message.replace(/ \(entry \d+\)/, '')}`;
  const behind = mended.entries.slice(at, open).map((entry, i) => gone(mended, at + i, entry, why));
  return { shared, dropped: [...dropped, ...behind] };
}

/** By the entries' numbers, behind the messages that cannot be read. */
const inOrder = (a: Wrong, b: Wrong): number => numberOf(a) - numberOf(b);
const numberOf = ({ name }: Wrong): number => Number(/^entry (\d+)$/.exec(name)?.[1] ?? 0);

/** From here on a run does not go on. */
const isOver = (type: string): boolean => type === 'RUN_CANCEL_REQUESTED' || hasEnded(type);
const ENDED = 'the new run goes on, and comes to its end by itself';

const gone = ({ names }: Mended, at: number, { type }: Entry, why: string): Wrong => ({
  name: names[at] ?? `entry ${at + 1}`,
  why,
  type,
});

function divergenceIn({ bus, run, values }: RequestRun, entries: readonly Entry[]): Promise<ReinsError | undefined> {
  return withSources(
    bus,
    async (sources) => (await replayWith(sources, { run, entries, blobs: values })).divergence?.error,
  );
}

/** It must not go on beside the new one. @returns why it may */
async function endDamaged(context: CliContext, { mended, seal, run }: DamagedJournal): Promise<string[]> {
  if (seal.length > 0 || foldRun(run, mended.entries).end) return [];
  const said = { reason: 'its journal is damaged; another run goes on from what can be kept of it' };
  try {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    await new GatewayClient(gatewayAddress(context)).post(`/requests/${run.runId}/halt`, said, headers);
    return [];
  } catch (error) {
    if (!isReinsError(error)) throw error;
    return error.code === 'request_ended' ? [] : [`${run.runId} could not be ended: ${error.message}`];
  }
}

const wholeReport = (requestId: string, { length }: readonly Entry[], warnings: readonly string[]) => ({
  about: { requestId, backupDir: null },
  journal: { keptEvents: length },
  dropped: [],
  suspicious: [],
  warnings,
  whole: true,
  line: WHOLE,
});

const nothingLeft = (requestId: string, warnings: readonly string[]): ReinsError =>
  new ReinsError({
    code: 'journal_corrupt',
    message: ['nothing of the journal can be kept, so it is left as it is', ...warnings].join('; '),
    path: requestId,
    hint: 'run:repair-journal --dry-run says what is wrong with each entry; `reins requests show` what the log has of the request',
  });
