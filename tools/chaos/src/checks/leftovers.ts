import type { Check } from './violation.ts';

/** No inbox message, timer or request for work is left, and every message is acknowledged. */
export const leftovers: Check = ({ evidence: { durables, inbox } }) => [
  ...inbox.map((subject) => ({ message: `still in the inbox: ${subject}` })),
  ...durables
    .filter(({ pending, unacknowledged }) => pending + unacknowledged > 0)
    .map(({ stream, durable, pending, unacknowledged }) => ({
      message: `${durable} on ${stream}: ${pending} not delivered, ${unacknowledged} not acknowledged`,
    })),
];

/** This load causes no dead letters. */
export const dead: Check = ({ evidence }) =>
  evidence.dead.map(({ subject, problem }) => ({ message: `dead letter ${subject}: ${problem}` }));

const SHOWN = 10;

/** The read model matches the event log. */
export const projection: Check = ({ lost, evidence: { projection: report } }) => {
  const { differences, skippedRequests } = report;
  const shown = differences.slice(0, SHOWN).map(({ table, key, kind, columns = [] }) => {
    const names = columns.map(({ column, expected, actual }) => {
      return `${column} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`;
    });
    return { message: `${table} ${key}: ${kind} ${names.join('; ')}` };
  });
  const more = differences.length > SHOWN ? [{ message: `and ${differences.length - SHOWN} more differences` }] : [];
  // Rows of events that a restored log does not have cannot be compared.
  const isRestored = lost !== undefined && lost.size > 0;
  const skipped =
    skippedRequests > 0 && !isRestored ? [{ message: `${skippedRequests} requests could not be compared` }] : [];
  return [...shown, ...more, ...skipped];
};
