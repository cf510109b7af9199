import type { LoggedEvent } from '../evidence/evidence.ts';
import type { AcceptedRequest } from '../load/load.ts';
import { about, type Case, type Check, type Finding, groupBy } from './violation.ts';

const TERMINAL = /^runtime\.request\.(completed|failed|cancelled)$/;

const endingOf = ({ type }: LoggedEvent): string | undefined => TERMINAL.exec(type)?.[1];

function endingsByRequest({ evidence }: Case): Map<string, LoggedEvent[]> {
  const terminal = evidence.events.filter((event) => endingOf(event) !== undefined);
  return groupBy(terminal, ({ requestId }) => requestId);
}

/** No submission is rejected or unanswered, and an idempotency key gives one request. */
export const submissions: Check = ({ refused, accepted }) => [
  ...refused.map((message) => ({ message })),
  ...accepted
    .filter(({ answeredWith }) => new Set(answeredWith).size > 1)
    .map((request) => about(request, `one idempotency key got the requests ${request.answeredWith.join(' and ')}`)),
];

/** Every accepted request has exactly one terminal fact, of an expected type. No other request has one. */
export const endings: Check = (given) => {
  const found = endingsByRequest(given);
  const known = new Set(given.accepted.map(({ requestId }) => requestId));
  const strangers = [...found.keys()].filter((id) => !known.has(id) && !given.lost?.has(id));
  return [
    ...given.accepted.flatMap((request) => wrongEnding(request, found.get(request.requestId) ?? [])),
    ...strangers.map((id) => about(id, 'it ended, but no client got an accepted response for it')),
  ];
};

function wrongEnding(request: AcceptedRequest, facts: readonly LoggedEvent[]): Finding[] {
  const { endings: allowed, kind } = request.planned;
  if (facts.length !== 1) {
    const listed = facts.map(({ type, seq }) => `${type} at ${seq}`).join(', ') || 'none';
    return [about(request, `${kind}: ${facts.length} terminal facts instead of one: ${listed}`)];
  }
  const [fact] = facts;
  const ending = fact && endingOf(fact);
  if (allowed.some((each) => each === ending)) return [];
  return [
    about(request, `${kind}: it ended ${ending}, not ${allowed.join(' or ')}: ${JSON.stringify(fact?.body?.error)}`),
  ];
}

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** The status over HTTP matches the terminal fact. A lost request does not exist, or has ended. */
export const views: Check = (given) => {
  const found = endingsByRequest(given);
  return given.evidence.seen.flatMap(({ requestId, httpStatus, status }) => {
    const [fact] = found.get(requestId) ?? [];
    if (given.lost?.has(requestId) && httpStatus !== 404 && !ENDED.has(status))
      return [about(requestId, `HTTP returns ${httpStatus} ${status}, but the request is lost`)];
    if (!fact || (httpStatus === 200 && status === endingOf(fact))) return [];
    return [about(requestId, `HTTP returns ${httpStatus} ${status}, the event log has ${fact.type}`)];
  });
};

/** The requests of one session run one at a time. */
export const sessions: Check = ({ accepted, evidence }) => {
  const shared = accepted.filter(({ planned }) => planned.session !== undefined);
  const byRequest = groupBy(evidence.events, ({ requestId }) => requestId);
  return [...groupBy(shared, ({ sessionId }) => sessionId).entries()].flatMap(([sessionId, requests]) => {
    const spans = requests
      .map(({ requestId }) => spanOf(requestId, byRequest.get(requestId) ?? []))
      .sort((a, b) => a.from - b.from);
    return spans.flatMap(({ requestId, from }, index) => {
      const before = spans[index - 1];
      if (!before || before.to < from) return [];
      return [about(requestId, `it ran concurrently with ${before.requestId} in session ${sessionId}`)];
    });
  });
};

function spanOf(requestId: string, events: readonly LoggedEvent[]) {
  const started = events.find(({ type }) => type === 'runtime.request.started');
  const ended = events.find((event) => endingOf(event) !== undefined);
  return { requestId, from: started?.seq ?? 0, to: ended?.seq ?? Number.POSITIVE_INFINITY };
}

/** No request is damaged: kills lose nothing, and restored copies are consistent. */
export const damage: Check = ({ damaged = new Set<string>() }) =>
  [...damaged].map((id) => about(id, 'it was damaged, and an operator resumed it'));
