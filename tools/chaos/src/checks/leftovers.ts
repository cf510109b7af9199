import { parseInboxSubject } from '@reins/contracts';
import type { DeadMessage } from '../evidence/evidence.ts';
import type { Case, Check } from './violation.ts';

/** No inbox message, timer or request for work is left, and every message is acknowledged. */
export const leftovers: Check = ({ evidence: { durables, inbox } }) => [
  ...inbox.map((subject) => ({ message: `still in the inbox: ${subject}` })),
  ...durables
    .filter(({ pending, unacknowledged }) => pending + unacknowledged > 0)
    .map(({ stream, durable, pending, unacknowledged }) => ({
      message: `${durable} on ${stream}: ${pending} not delivered, ${unacknowledged} not acknowledged`,
    })),
];

/** This load causes no dead letters, except for messages to requests that a restore removed. */
export const dead: Check = (given) =>
  given.evidence.dead
    .filter((letter) => !isToLostRequest(given, letter))
    .map(({ subject, problem }) => ({ message: `dead letter ${subject}: ${problem}` }));

/** Whether a message was dead-lettered because a restore removed its request. */
export function isToLostRequest({ lost }: Pick<Case, 'lost'>, { subject, code }: DeadMessage): boolean {
  const run = parseInboxSubject(subject.replace(/^dead\.INBOX\./, ''));
  return code === 'run_unknown' && run !== undefined && lost?.has(run.runId) === true;
}

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
  const skipped =
    skippedRequests > (lost?.size ?? 0) ? [{ message: `${skippedRequests} requests could not be compared` }] : [];
  return [...shown, ...more, ...skipped];
};
