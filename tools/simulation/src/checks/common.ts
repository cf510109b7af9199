import type { Violation } from '@reins/chaos/checks';
import type { SimulatedCase } from './case.ts';

/** What a check has found. */
export type Finding = Omit<Violation, 'check'>;
export type Check = (given: SimulatedCase) => Finding[];

export const TERMINAL = /^runtime\.request\.(completed|failed|cancelled)$/;
export const about = (requestId: string, message: string): Finding => ({ requestId, message });

/** Everything has been handled, and no ended run is in memory. */
export const settled: Check = ({ inMemory, unsettled }) => [
  ...(unsettled === undefined ? [] : [{ message: `not quiescent: ${unsettled}` }]),
  ...(unsettled === undefined && inMemory > 0 ? [{ message: `${inMemory} ended runs are still in memory` }] : []),
];

/** Every request and every child run has exactly one terminal fact. */
export const endings: Check = ({ accepted, evidence }) => {
  const ids = new Set([...accepted.map(({ requestId }) => requestId), ...evidence.journals.keys()]);
  return [...ids].flatMap((id) => {
    const ends = evidence.events.filter(({ requestId, type }) => requestId === id && TERMINAL.test(type));
    const listed = ends.map(({ seq, type }) => `${type} at ${seq}`).join(', ') || 'none';
    return ends.length === 1 ? [] : [about(id, `${ends.length} terminal facts instead of one: ${listed}`)];
  });
};

/** No machine sends a commit when it knows that its lease has expired. */
export const fencing: Check = ({ server }) =>
  server.journals.allCommits
    .filter(({ sentUnderLease }) => !sentUnderLease)
    .map(({ machine, seq, subject }) => ({
      message: `${machine} appended to ${subject} at ${seq} after its lease had expired`,
    }));
