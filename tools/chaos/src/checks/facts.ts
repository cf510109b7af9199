import { canonicalJson, NO_REQUEST } from '@reins/contracts';
import { applyEntry, type Emission, emptyRun, factsOf } from '@reins/journal';
import type { LoggedEvent, RunJournal } from '../evidence/evidence.ts';
import { about, type Check, type Finding, groupBy } from './violation.ts';

/** Within this time the server deduplicates ids. */
const DUPLICATE_WINDOW_MS = 110_000;

/**
 * The published facts of a run are exactly those of its journal, in order, each once. After an outage longer than the
 * deduplication window, a fact may be repeated with the same id.
 */
export const facts: Check = ({ evidence }) => {
  const published = groupBy(
    evidence.events.filter(({ version }) => version !== undefined),
    ({ requestId }) => requestId,
  );
  const unknown = [...published.keys()].filter((id) => !evidence.journals.has(id));
  const stray = evidence.events.filter((event) => event.version === undefined && isAboutRun(event));
  return [
    ...stray.map(({ requestId, seq, type }) => about(requestId, `${type} at ${seq} has no journal version`)),
    ...unknown.map((id) => about(id, 'it has facts, but no journal')),
    ...[...evidence.journals.values()].flatMap((journal) =>
      wrongFacts(journal, published.get(journal.run.runId) ?? []),
    ),
  ];
};

/** Everything about a run follows from its journal, except signals of executors and events of hosts. */
function isAboutRun({ requestId, type }: LoggedEvent): boolean {
  return requestId !== NO_REQUEST && !type.startsWith('agent.') && type !== 'runtime.adapter.event';
}

function wrongFacts(journal: RunJournal, published: readonly LoggedEvent[]): Finding[] {
  const { runId } = journal.run;
  const derived = derivedFacts(journal);
  if (!derived) return []; // an invalid journal, which another check reports
  const byId = groupBy(published, ({ id }) => id);
  const firsts = [...byId.values()].flatMap(([first]) => first ?? []);
  return [
    ...[...byId.values()].flatMap((times) => repeatedTooSoon(times).map((message) => about(runId, message))),
    ...firstDifference(firsts, derived).map((message) => about(runId, message)),
  ];
}

/** The facts of the entries, in order; undefined for an invalid journal. */
export function derivedFacts({
  run,
  entries,
  inlined,
}: Pick<RunJournal, 'run' | 'entries' | 'inlined'>): Emission[] | undefined {
  const state = emptyRun(run);
  try {
    return entries.flatMap((each) => {
      const entry = inlined.get(each.hash) ?? each;
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
      return `${first.type} at ${first.seq} is repeated at ${seq}, ${later} ms later`;
    });
}

/** Reports the first difference between published and derived facts. Later differences would only repeat it. */
function firstDifference(published: readonly LoggedEvent[], derived: readonly Emission[]): string[] {
  const length = Math.max(published.length, derived.length);
  for (let index = 0; index < length; index += 1) {
    const [actual, expected] = [published[index], derived[index]];
    if (
      actual &&
      expected &&
      actual.id === expected.id &&
      actual.version === expected.version &&
      sameBody(actual, expected)
    )
      continue;
    const where = `fact ${index + 1} of ${derived.length}`;
    if (!expected) return [`${where}: ${actual?.type} at ${actual?.seq} does not follow from the journal`];
    if (!actual) return [`${where}: ${expected.body.type} of entry ${expected.version} is not published`];
    return [
      `${where}: found ${actual.type} at ${actual.seq} instead of ${expected.body.type} of entry ${expected.version}`,
    ];
  }
  return [];
}

function sameBody({ body }: LoggedEvent, expected: Emission): boolean {
  return body !== undefined && canonicalJson(body) === canonicalJson(JSON.parse(JSON.stringify(expected.body)));
}
