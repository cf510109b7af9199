import { Blobs, type Bus, readSubject } from '@reins/bus';
import {
  DIRECTIVES_SUBJECT,
  HEADERS,
  isObject,
  parseEventSubject,
  parseJournalSubject,
  parseJson,
  problemOf,
  type RunAddress,
} from '@reins/contracts';
import { derivedFacts, type FactMark, reconcile } from '@reins/control-bus/core';
import { type Entry, isEnd } from '@reins/journal';
import { blobValues, openBusJournals } from '@reins/journal/bus';
import type { Check } from './check.ts';

/** How two stores differ. */
export type DifferenceKind =
  | 'journal_unreadable'
  | 'fact_missing'
  | 'fact_without_entry'
  | 'terminal_facts'
  | 'session_without_run'
  | 'row_differs';

export interface Difference {
  readonly kind: DifferenceKind;
  readonly requestId: string;
  readonly message: string;
}

/** The status of a request, by id, as the read model has it. */
export type RowStatuses = ReadonlyMap<string, string>;

const SHOWN = 10;
const TERMINAL = /^runtime\.request\.(completed|failed|cancelled)$/;
const KINDS: Readonly<Record<DifferenceKind, string>> = {
  journal_unreadable: 'journals cannot be read',
  fact_missing: 'requests lack facts',
  fact_without_entry: 'requests have facts without entries',
  terminal_facts: 'ended requests do not have exactly one terminal fact',
  session_without_run: 'sessions wait for a request that is not running',
  row_differs: 'rows of the read model differ',
};

/** One check per kind of difference, with the first ten. */
export function checksOf(differences: readonly Difference[]): Check[] {
  return Object.entries(KINDS).map(([kind, text]): Check => {
    const found = differences.filter((difference) => difference.kind === kind);
    if (found.length === 0) return { name: kind, status: 'ok', message: `0 ${text}` };
    const shown = found.slice(0, SHOWN).map(({ requestId, message }) => `\n    ${requestId}: ${message}`);
    const more = found.length > SHOWN ? `\n    and ${found.length - SHOWN} more` : '';
    return { name: kind, status: 'failed', message: `${found.length} ${text}${shown.join('')}${more}` };
  });
}

/**
 * Compares the journals of an installation with its facts, sessions and rows. What happened in the last commit of a
 * live run is not compared, because its facts may be on their way.
 * @param rows undefined when the read model cannot be read
 * @throws ReinsError of the bus
 */
export async function compareStores(
  bus: Bus,
  partitions: number,
  rows: RowStatuses | undefined,
): Promise<readonly Difference[]> {
  const journals = await openBusJournals(bus, { partitions });
  const values = blobValues(await Blobs.open(bus));
  const running = await runningRequests(bus);
  const runs = await runsIn(bus);
  const facts = await factsIn(bus);
  const oldest = await oldestEvent(bus);
  const found: Difference[] = [];
  for (const run of runs.values()) {
    const requestId = run.runId;
    const known = { facts: facts.get(requestId) ?? [], session: running.get(requestId), status: rows?.get(requestId) };
    try {
      const journal = await journals.load(run);
      const oldestVersion = journal.entries.find((entry) => !isOlder(entry, oldest))?.version;
      const last = isOver(journal.entries) ? journal.head.version : journal.head.version - journal.lastCommitSize;
      const range = [oldestVersion ?? Number.POSITIVE_INFINITY, last] as const;
      const derived = await derivedFacts({ values }, run, journal.entries, range);
      const all = { ...known, entries: journal.entries, derived, isWhole: oldestVersion === 1 };
      found.push(...differencesOf(all).map((difference) => ({ ...difference, requestId })));
    } catch (error) {
      found.push({ kind: 'journal_unreadable', requestId, message: problemOf(error).message });
    }
  }
  return [...found, ...withoutJournal(runs, facts, running)];
}

interface Known {
  readonly entries: readonly Entry[];
  readonly derived: readonly FactMark[];
  readonly facts: readonly FactMark[];
  /** Whether the event log still has everything since the start of the run. */
  readonly isWhole: boolean;
  /** The session that waits for the run. */
  readonly session: string | undefined;
  /** The status in the read model. */
  readonly status: string | undefined;
}

/** Compares one run. Pure. */
function differencesOf({ derived, entries, facts, isWhole, session, status }: Known): Omit<Difference, 'requestId'>[] {
  const end = entries.find(({ type }) => isEnd(type));
  const { missing, strays } = reconcile({ entries, hasEnded: end !== undefined, derived, stored: facts });
  const found: Omit<Difference, 'requestId'>[] = [];
  if (missing.length > 0)
    found.push({ kind: 'fact_missing', message: `${missing.length} of ${derived.length} facts are not in EVENTS` });
  if (strays.length > 0 && !isKnownDamage(entries))
    found.push({ kind: 'fact_without_entry', message: `${strays.length} facts do not follow from its journal` });
  if (!end) return found;
  const ends = facts.filter(({ terminal }) => terminal).length;
  if (isWhole && ends !== 1) found.push({ kind: 'terminal_facts', message: `it has ${ends} terminal facts` });
  if (status !== undefined && status !== statusOf(end))
    found.push({ kind: 'row_differs', message: `its row says ${status}, its journal ${statusOf(end)}` });
  if (session !== undefined)
    found.push({ kind: 'session_without_run', message: `it has ended, and session ${session} waits for it` });
  return found;
}

/** Facts and sessions of runs that have no journal. Pure. */
function withoutJournal(
  runs: ReadonlyMap<string, RunAddress>,
  facts: ReadonlyMap<string, readonly FactMark[]>,
  running: ReadonlyMap<string, string>,
): Difference[] {
  const strays = [...facts.keys()].filter((requestId) => !runs.has(requestId));
  const lost = [...running].filter(([requestId]) => !runs.has(requestId));
  return [
    ...strays.map((requestId) => ({
      kind: 'fact_without_entry' as const,
      requestId,
      message: 'it has facts and no journal',
    })),
    ...lost.map(([requestId, session]) => ({
      kind: 'session_without_run' as const,
      requestId,
      message: `it has no journal, and session ${session} waits for it`,
    })),
  ];
}

const isOver = (entries: readonly Entry[]): boolean => entries.some(({ type }) => isEnd(type));

/** The runs that have a journal, by id. */
async function runsIn(bus: Bus): Promise<ReadonlyMap<string, RunAddress>> {
  const runs = new Map<string, RunAddress>();
  for await (const { subject } of readSubject(bus, 'JOURNAL', 'journal.>')) {
    const run = parseJournalSubject(subject);
    if (run) runs.set(run.runId, { workspaceId: run.workspaceId, runId: run.runId });
  }
  return runs;
}

/** The facts in the event log, by run. Narrations are no facts: they have no version. */
async function factsIn(bus: Bus): Promise<ReadonlyMap<string, readonly FactMark[]>> {
  const facts = new Map<string, FactMark[]>();
  for (const filter of ['runtime.>', `${DIRECTIVES_SUBJECT}.>`])
    for await (const message of readSubject(bus, 'EVENTS', filter)) {
      const address = parseEventSubject(message.subject);
      const version = Number(message.header(HEADERS.version));
      if (!address || !(version > 0)) continue;
      const { requestId, type } = address;
      const known = facts.get(requestId) ?? [];
      known.push({ id: message.header(HEADERS.id) ?? '', version, terminal: TERMINAL.test(type) });
      facts.set(requestId, known);
    }
  return facts;
}

/** The running request of each session, with the id of the session. */
async function runningRequests(bus: Bus): Promise<ReadonlyMap<string, string>> {
  const running = new Map<string, string>();
  for await (const { data, subject } of readSubject(bus, 'KV_sessions', '$KV.sessions.>')) {
    const record = data.length === 0 ? undefined : parseJson(data);
    if (!isObject(record) || !isObject(record.running)) continue;
    running.set(String(record.running.requestId), subject.split('.').at(-1) ?? '');
  }
  return running;
}

/** When the oldest event was stored; undefined while the event log has everything. */
async function oldestEvent(bus: Bus): Promise<number | undefined> {
  const { state } = await bus.jsm.streams.info('EVENTS');
  return state.first_seq > 1 ? Date.parse(String(state.first_ts)) : undefined;
}

/** Whether the facts of the entry may have left the event log. */
const isOlder = ({ recordedAt }: Entry, oldest: number | undefined): boolean =>
  oldest !== undefined && Date.parse(recordedAt) <= oldest;

/** Whether the journal records that these entries were lost. */
const isKnownDamage = (entries: readonly Entry[]): boolean =>
  entries.some((entry) =>
    entry.type === 'RUN_PAUSED' ? entry.data.error !== undefined : 'sealed' in entry.data && isEnd(entry.type),
  );

/** The status of a request with this end. */
function statusOf({ type }: Entry): string {
  return type === 'RUN_HALTED' ? 'completed' : type.replace('RUN_', '').toLowerCase();
}
