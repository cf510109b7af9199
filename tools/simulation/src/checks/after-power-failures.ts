import { derivedFacts } from '@reins/chaos/checks';
import { about, type Check, endings, fencing, settled } from './common.ts';

/** The facts of every journal are published. Facts of lost entries may be published, too. */
const derived: Check = ({ evidence }) => {
  const published = new Set(evidence.events.map(({ id }) => id));
  return [...evidence.journals.values()].flatMap((journal) => {
    const missing = (derivedFacts(journal) ?? []).filter(({ id }) => !published.has(id));
    const [first] = missing;
    return first ? [about(journal.run.runId, `${first.body.type} of entry ${first.version} is not published`)] : [];
  });
};

/** At the end every session is free. */
const freeSessions: Check = ({ server }) =>
  [...server.sessions.values].flatMap(([key, { value }]) => {
    const busy = [...(value.running ? [value.running] : []), ...value.queued].map(({ requestId }) => requestId);
    return busy.length > 0 ? [{ message: `session ${key} still has the requests ${busy.join(', ')}` }] : [];
  });

/** Every run that has facts or a journal has exactly one terminal fact. A lost request has neither. */
const endingsOfKnown: Check = (given) => {
  const { accepted, evidence } = given;
  const started = new Set(
    evidence.events.filter(({ type }) => type === 'runtime.request.started').map(({ requestId }) => requestId),
  );
  return endings({ ...given, accepted: accepted.filter(({ requestId }) => started.has(requestId)) });
};

/** What holds when each stream has lost its last messages. */
export const AFTER_POWER_FAILURES: Readonly<Record<string, Check>> = {
  settled,
  endings: endingsOfKnown,
  facts: derived,
  sessions: freeSessions,
  fencing,
};
