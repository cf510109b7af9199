import { canonicalJson, NO_REQUEST } from '@reins/contracts';
import { applyEntry, type Emission, emptyRun, factsOf } from '@reins/journal';
import type { LoggedEvent, RunJournal } from '../evidence/evidence.ts';
import { about, type Check, type Finding, groupBy } from './violation.ts';

/** Within this time the server itself keeps a repeated id out. */
const DUPLICATE_WINDOW_MS = 110_000;

/**
 * What is told of a run is exactly what its journal says, in that order, and told once. After an outage that is longer than the server's
 * memory of ids a fact may be there again; then it has the same id.
 */
export const facts: Check = ({ evidence }) => {
  const told = groupBy(
    evidence.events.filter(({ version }) => version !== undefined),
    ({ requestId }) => requestId,
  );
  const unknown = [...told.keys()].filter((id) => !evidence.journals.has(id));
  const stray = evidence.events.filter((event) => event.version === undefined && isAboutRun(event));
  return [
    ...stray.map(({ requestId, seq, type }) =>
      about(requestId, `${type} at ${seq} names no entry that it follows from`),
    ),
    ...unknown.map((id) => about(id, 'facts are told of it, and it has no journal')),
    ...[...evidence.journals.values()].flatMap((journal) => wrongFacts(journal, told.get(journal.run.runId) ?? [])),
  ];
};

/** Signals are the executor's own, and hosts that come and go are of no run; everything else about a run follows from its journal. */
function isAboutRun({ requestId, type }: LoggedEvent): boolean {
  return requestId !== NO_REQUEST && !type.startsWith('agent.') && type !== 'runtime.adapter.event';
}

function wrongFacts(journal: RunJournal, told: readonly LoggedEvent[]): Finding[] {
  const { runId } = journal.run;
  const derived = derivedFacts(journal);
  if (!derived) return []; // the journal itself is wrong, which another check says
  const byId = groupBy(told, ({ id }) => id);
  const firsts = [...byId.values()].flatMap(([first]) => first ?? []);
  return [
    ...[...byId.values()].flatMap((times) => repeatedTooSoon(times).map((message) => about(runId, message))),
    ...firstDifference(firsts, derived).map((message) => about(runId, message)),
  ];
}

/** What the entries say, in order; undefined where they do not make a journal. */
export function derivedFacts({
  run,
  entries,
  whole,
}: Pick<RunJournal, 'run' | 'entries' | 'whole'>): Emission[] | undefined {
  const state = emptyRun(run);
  try {
    return entries.flatMap((each) => {
      const entry = whole.get(each.hash) ?? each;
      applyEntry(state, entry);
      return factsOf(state, entry);
    });
  } catch {
    return undefined;
  }
}

function repeatedTooSoon([first, ...repeats]: readonly LoggedEvent[]): string[] {
  if (!first) return [];
  return repeats
    .filter(({ storedAt }) => storedAt - first.storedAt < DUPLICATE_WINDOW_MS)
    .map(({ seq, storedAt }) => {
      const later = storedAt - first.storedAt;
      return `${first.type} is at ${first.seq}, and ${later} ms later again at ${seq}`;
    });
}

/** The first place where the told facts are not the derived ones; what follows it says nothing new. */
function firstDifference(told: readonly LoggedEvent[], derived: readonly Emission[]): string[] {
  const length = Math.max(told.length, derived.length);
  for (let index = 0; index < length; index += 1) {
    const [is, should] = [told[index], derived[index]];
    if (is && should && is.id === should.id && is.version === should.version && sameBody(is, should)) continue;
    const where = `fact ${index + 1} of ${derived.length}`;
    if (!should) return [`${where}: ${is?.type} at ${is?.seq} does not follow from the journal`];
    if (!is) return [`${where}: ${should.body.type} of entry ${should.version} is not told`];
    return [`${where}: ${is.type} at ${is.seq} stands where ${should.body.type} of entry ${should.version} belongs`];
  }
  return [];
}

function sameBody({ body }: LoggedEvent, should: Emission): boolean {
  return body !== undefined && canonicalJson(body) === canonicalJson(JSON.parse(JSON.stringify(should.body)));
}
