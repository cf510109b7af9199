import type { LoggedEvent } from '../evidence/evidence.ts';
import { about, type Check, type Finding, groupBy } from './violation.ts';

const REQUEST_OR_START: ReadonlySet<string> = new Set([
  'runtime.stage.requested',
  'runtime.stage.claimed',
  'runtime.stage.started',
]);

const ACTS: ReadonlySet<string> = new Set(['runtime.stage.claimed', 'runtime.stage.started']);

/**
 * After its completion was published, a stage is not requested or started again, and its executor sends no more signals.
 * No attempt of a stage is executed twice.
 */
export const stages: Check = ({ evidence }) => {
  const firsts = [...groupBy(evidence.events, ({ id }) => id).values()].flatMap(([first]) => first ?? []);
  const ofEffects = firsts.filter(({ body }) => typeof body?.effectId === 'string');
  return [...groupBy(ofEffects, ({ body }) => String(body?.effectId)).values()].flatMap((events) => [
    ...afterCompletion(events),
    ...duplicateHandoffs(events),
    ...startedAfterAll(events),
  ]);
};

function afterCompletion(events: readonly LoggedEvent[]): Finding[] {
  const completed = events.find(({ type }) => type === 'runtime.stage.completed');
  if (!completed) return [];
  const isSignalOf = ({ type, body }: LoggedEvent): boolean =>
    type.startsWith('agent.') && body?.attempt === completed.body?.attempt;
  return events
    .filter((event) => event.seq > completed.seq)
    .filter((event) => REQUEST_OR_START.has(event.type) || event.type === completed.type || isSignalOf(event))
    .map(({ type, seq, requestId }) =>
      about(requestId, `${type} at ${seq}, after its stage was completed at ${completed.seq}`),
    );
}

/**
 * An attempt that counts as not started was never claimed, and its executor sends no signal. An attempt that waited for
 * an answer was: then no host has continued it since.
 */
function startedAfterAll(events: readonly LoggedEvent[]): Finding[] {
  const failures = events.filter(
    ({ type, body }) =>
      type === 'runtime.stage.failed' && (body?.error as { code?: unknown } | undefined)?.code === 'effect_not_started',
  );
  return failures.flatMap(({ body: failed, requestId, seq }) => {
    const own = events.filter(({ body }) => body?.attempt === failed?.attempt);
    const waited = own.findLast((event) => event.type === 'runtime.stage.waiting' && event.seq < seq)?.seq ?? 0;
    return own
      .filter((event) => event.seq > waited && (ACTS.has(event.type) || event.type.startsWith('agent.')))
      .slice(0, 1)
      .map((act) =>
        about(requestId, `attempt ${failed?.attempt} counts as not started at ${seq}, but ${act.type} at ${act.seq}`),
      );
  });
}

/** A harness publishes one handoff per attempt, and one more after each question. */
function duplicateHandoffs(events: readonly LoggedEvent[]): Finding[] {
  const handoffs = events.filter(({ type }) => type === 'agent.handoff');
  const questions = events.filter(({ type }) => type === 'runtime.stage.waiting').length;
  return [...groupBy(handoffs, ({ body }) => String(body?.attempt)).entries()].flatMap(([attempt, [first, ...more]]) =>
    more
      .slice(questions)
      .map(({ seq, requestId }) =>
        about(requestId, `attempt ${attempt} was taken over at ${first?.seq} and again at ${seq}`),
      ),
  );
}
