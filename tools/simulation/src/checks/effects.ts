import { claimKey } from '@reins/bus';
import { earlyTimeouts } from '@reins/chaos/checks';
import { isObject } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import { about, type Check } from './common.ts';

/** No effect is closed twice, unless it was requested again. */
export const effects: Check = ({ evidence }) =>
  [...evidence.journals.values()].flatMap(({ entries, run }) => {
    const closed = new Set<string>();
    return entries.flatMap((entry) => {
      if (entry.type === 'EFFECT_REQUESTED') closed.delete(entry.data.effectId);
      if (entry.type !== 'EFFECT_RESOLVED' && entry.type !== 'EFFECT_CANCELLED') return [];
      const { effectId } = entry.data;
      const twice = closed.has(effectId) ? [about(run.runId, `${effectId} closed again: entry ${entry.version}`)] : [];
      closed.add(effectId);
      return twice;
    });
  });

/** No further attempt of a stage is requested after its completion was published, unless the run has an invalidation. */
export const stages: Check = ({ evidence }) => {
  const invalidated = new Set(
    [...evidence.journals.values()].flatMap(({ entries, run }) => (entries.some(isInvalidation) ? [run.runId] : [])),
  );
  const completed = new Map<string, number>();
  return evidence.events.flatMap(({ body, requestId, seq, type }) => {
    const effectId = String(body?.effectId);
    if (type === 'runtime.stage.completed' && !completed.has(effectId)) completed.set(effectId, Number(body?.attempt));
    const last = completed.get(effectId);
    const isAsked = type === 'runtime.stage.requested' && last !== undefined && Number(body?.attempt) > last;
    return isAsked && !invalidated.has(requestId)
      ? [about(requestId, `stage ${effectId} is requested at ${seq}, after its completion was published`)]
      : [];
  });
};

const isInvalidation = ({ type }: Entry): boolean => type === 'EFFECT_INVALIDATED';

const NOT_CLAIMED = 'effect_not_started';

/** An attempt that a host has claimed may have acted, so it never counts as not started. */
export const attempts: Check = ({ evidence, server }) =>
  [...evidence.journals.values()].flatMap(({ entries, run }) => {
    /** By effect: each resumption has a claim of its own. */
    const resumptions = new Map<string, number | undefined>();
    return entries.flatMap((entry) => {
      if (entry.type === 'EFFECT_REQUESTED') resumptions.delete(entry.data.effectId);
      if (entry.type === 'EFFECT_ANSWERED') resumptions.set(entry.data.effectId, entry.data.resumption);
      if (entry.type !== 'EFFECT_ATTEMPT_FAILED' && entry.type !== 'EFFECT_RESOLVED') return [];
      const { attempt, effectId, error } = entry.data;
      const claim = claimKey(effectId, resumptions.get(effectId));
      return error?.code === NOT_CLAIMED && server.claims.wasClaimed(claim, attempt)
        ? [about(run.runId, `attempt ${attempt} of ${effectId} counts as not started, but a host had claimed it`)]
        : [];
    });
  });

/** How much later than it was decided an entry may be stored: a machine is frozen, or tries again. */
const STORED_LATE_MS = 10_000;

/** An attempt of a stage counts as late only after its limit. Machines with wrong clocks are not checked. */
export const deadlines: Check = ({ areClocksRight, evidence }) =>
  areClocksRight ? [...evidence.journals.values()].flatMap((journal) => earlyTimeouts(journal, STORED_LATE_MS)) : [];

/** A stage that waits for busy hosts runs at its first attempt. */
export const queued: Check = ({ burst, evidence }) =>
  [...burst].flatMap((requestId) => {
    const failure = evidence.events.find(
      ({ body, ...event }) => event.requestId === requestId && isObject(body?.error) && body.error.code === NOT_CLAIMED,
    );
    return failure ? [about(requestId, `its stage failed at ${failure.seq}, while it waited for a slot`)] : [];
  });

/** A host confirms the end of an attempt only if its run was cancelled. Cancels of earlier attempts do not stop it. */
export const orders: Check = ({ evidence }) =>
  [...evidence.journals.values()].flatMap(({ entries, run }) => {
    const from = entries.findIndex(({ type }) => type === 'RUN_CANCEL_REQUESTED');
    const before = from < 0 ? entries : entries.slice(0, from);
    return before.flatMap((entry) =>
      entry.type === 'EFFECT_CANCELLED' && entry.data.confirmed
        ? [about(run.runId, `a host stopped ${entry.data.effectId} (${entry.version}) without a cancel`)]
        : [],
    );
  });

/** A question suspends its stage once, however often its host repeats it. */
export const suspensions: Check = ({ evidence, server }) =>
  [...evidence.journals.values()].flatMap(({ entries, run }) => {
    const counts = new Map<string, number>();
    return entries.flatMap((entry) => {
      if (entry.type !== 'EFFECT_WAITING' || !entry.data.suspended) return [];
      const { effectId } = entry.data;
      const count = (counts.get(effectId) ?? 0) + 1;
      counts.set(effectId, count);
      const asked = server.questions.get(effectId) ?? 0;
      return count > asked
        ? [about(run.runId, `${effectId} is suspended ${count} times, after ${asked} questions`)]
        : [];
    });
  });

/** An answer that names its question answers that question. */
export const answers: Check = ({ evidence }) =>
  [...evidence.journals.values()].flatMap(({ entries, run }) => {
    const open = new Map<string, number | undefined>();
    return entries.flatMap((entry) => {
      if (entry.type === 'EFFECT_WAITING') open.set(entry.data.effectId, entry.data.questionNumber);
      if (entry.type !== 'EFFECT_ANSWERED' || !isObject(entry.data.answer)) return [];
      const { answer, effectId } = entry.data;
      const asked = open.get(effectId);
      return answer.questionNumber === asked
        ? []
        : [about(run.runId, `question ${asked} of ${effectId} got the answer to question ${answer.questionNumber}`)];
    });
  });
