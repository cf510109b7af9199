import { CHECKS as SHARED } from '@reins/chaos/checks';
import type { RunState } from '@reins/journal';
import { stateOf } from '../server/read-journals.ts';
import { isStub } from './archive.ts';
import type { SimulatedCase } from './case.ts';
import { type Check, TERMINAL } from './common.ts';

/** At the end a session is free, and has the turns of its completed runs in order. */
export const sessionState: Check = ({ evidence, server }) => {
  const ends = evidence.events.filter(({ type }) => TERMINAL.test(type)).map(({ requestId }) => requestId);
  const states = ranInSessions(evidence.journals).sort((a, b) => ends.indexOf(a.run.runId) - ends.indexOf(b.run.runId));
  return [...server.sessions.values].flatMap(([key, { value }]) => {
    const runs = states.filter(({ run, sessionId }) => `${run.workspaceId}.${sessionId}` === key);
    const turns = runs.filter(({ end }) => end?.status === 'completed').map(({ run }) => run.runId);
    const known = (value.state.turns ?? []).map(({ requestId }) => requestId);
    const busy = [...(value.running ? [value.running] : []), ...value.queued].map(({ requestId }) => requestId);
    return [
      ...(busy.length > 0 ? [{ message: `session ${key} still has the requests ${busy.join(', ')}` }] : []),
      ...(known.join() === turns.join() ? [] : [{ message: `session ${key} has the turns ${known}, not ${turns}` }]),
    ];
  });
};

/** Runs that started in their session. A run that ended while it was queued has a single commit. */
function ranInSessions(journals: SimulatedCase['evidence']['journals']): RunState[] {
  return [...journals.values()]
    .filter(({ entries, epochs }) => epochs.length - entries.filter(isStub).length > 1)
    .map(stateOf)
    .filter(({ parent }) => parent === undefined);
}

/** The requests of one session run one at a time. Requests that ended while they were queued do not count. */
export const sessions: Check = (given) => {
  const ran = new Set(ranInSessions(given.evidence.journals).map(({ run }) => run.runId));
  const accepted = given.accepted.filter(({ requestId }) => ran.has(requestId));
  return SHARED.sessions?.({ ...given, accepted }) ?? [];
};
