import { claimKey } from '@reins/bus';
import { earlyTimeouts, CHECKS as SHARED, type Violation } from '@reins/chaos/checks';
import { isObject, journalSubject, parseInboxSubject } from '@reins/contracts';
import { definitionFor } from '@reins/control-bus/core';
import { type Entry, hasEnded, isAuthored, type RunState } from '@reins/journal';
import { isAssignment, type ProcessDefinition, replayRun } from '@reins/replay';
import { stateOf } from '../server/read-journals.ts';
import type { DeadMessage, Server } from '../server/server.ts';
import { authoredProcesses, isAuthoredHere, isVersioned } from '../world/authored.ts';
import { processesOf } from '../world/processes.ts';
import { PARTITIONS } from '../world/settings.ts';
import { AFTER_POWER_FAILURES } from './after-power-failures.ts';
import type { SimulatedCase } from './case.ts';
import { about, type Check, endings, type Finding, fencing, settled, TERMINAL } from './common.ts';

/** How long timers may remain after the end of their run, because calls to clear them fail at first. */
const TIMERS_LEFT_MS = 200_000;

/**
 * The timers of an ended run leave the stream, if it had one owner. A former owner may schedule a timer after the next
 * owner has ended the run. When the timer is due, it changes nothing.
 */
const timers: Check = ({ server }) => {
  const { due, schedules } = server.inbox;
  const ends = endsOf(server.journals);
  const left = [...schedules.keys()].map((subject) => ({ subject, at: Number.POSITIVE_INFINITY }));
  return [...due, ...left].flatMap(({ at, subject }) => {
    const runId = subject.split('.')[3] ?? '';
    return at - (ends.get(runId) ?? at) > TIMERS_LEFT_MS
      ? [about(runId, `a timer of the ended run is left: ${subject}`)]
      : [];
  });
};

/** When the end of each run with one owner was stored, by the clock of the server. */
function endsOf({ allCommits }: SimulatedCase['server']['journals']): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  const epochs = new Map<string, number>();
  for (const { commit, storedAt, subject } of allCommits) {
    const runId = subject.split('.')[3] ?? '';
    const hadOneOwner = (epochs.get(runId) ?? commit.epoch) === commit.epoch;
    epochs.set(runId, hadOneOwner ? commit.epoch : SEVERAL);
    if (hadOneOwner && !ends.has(runId) && commit.entries.some(({ type }) => hasEnded(type))) ends.set(runId, storedAt);
  }
  return ends;
}

const SEVERAL = Number.NaN;

/** No effect is closed twice, unless it was requested again. */
const effects: Check = ({ evidence }) =>
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
const stages: Check = ({ evidence }) => {
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

const isStub = ({ type }: Entry): boolean => type === 'RUN_ARCHIVED';

const isInvalidation = ({ type }: Entry): boolean => type === 'EFFECT_INVALIDATED';

const NOT_CLAIMED = 'effect_not_started';

/** An attempt that a host has claimed may have acted, so it never counts as not started. */
const attempts: Check = ({ evidence, server }) =>
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
const deadlines: Check = ({ areClocksRight, evidence }) =>
  areClocksRight ? [...evidence.journals.values()].flatMap((journal) => earlyTimeouts(journal, STORED_LATE_MS)) : [];

/** A stage that waits for busy hosts runs at its first attempt. */
const queued: Check = ({ burst, evidence }) =>
  [...burst].flatMap((requestId) => {
    const failure = evidence.events.find(
      ({ body, ...event }) => event.requestId === requestId && isObject(body?.error) && body.error.code === NOT_CLAIMED,
    );
    return failure ? [about(requestId, `its stage failed at ${failure.seq}, while it waited for a slot`)] : [];
  });

/** A host confirms the end of an attempt only if its run was cancelled. Cancels of earlier attempts do not stop it. */
const orders: Check = ({ evidence }) =>
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
const suspensions: Check = ({ evidence, server }) =>
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
const answers: Check = ({ evidence }) =>
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

/** Every read of a journal returns exactly what was written: before, during and after archiving. */
const readers: Check = ({ mismatches }) =>
  mismatches.map(({ message, run }) => about(run.runId, `a reader: ${message}`));

/** An ended run has only a stub in the stream, unless two consecutive sweeps found its end unpublished. */
const archived: Check = ({ archives, evidence, server, unsettled }) =>
  [...evidence.journals.values()].flatMap(({ entries, run }) => {
    const stubs = entries.filter(isStub).length;
    if (stubs > 1) return [about(run.runId, `it has ${stubs} stubs`)];
    if (!archives || unsettled !== undefined || server.unarchivedRuns.has(run.runId)) return [];
    const left = server.journals.read(journalSubject(run, PARTITIONS)).length;
    if (stubs === 0) return [about(run.runId, 'it has ended and is not archived')];
    return left === 1 ? [] : [about(run.runId, `${left - 1} commits are left next to its stub`)];
  });

/** A divergence is reported only for versioned processes whose code has changed. */
const divergence: Check = ({ evidence }) =>
  [...evidence.journals.values()].flatMap(({ entries, run }) => {
    const first = entries.findIndex(isDivergence);
    if (first < 0) return [];
    const wasChanged = entries.slice(0, first).some(({ type }) => type === 'PROCESS_CODE_CHANGED');
    const { id } = stateOf({ entries: entries.slice(0, first), run }).process;
    return wasChanged && isVersioned(id) ? [] : [about(run.runId, `a divergence is reported at entry ${first + 1}`)];
  });

/**
 * Codes that may be dead-lettered: messages that crashed their owner five times, messages to unknown runs, and answers
 * to breakpoints that the gateway would have refused. A run is unknown only before its submit.
 */
const MAY_DIE: ReadonlySet<string> = new Set(['delivery_crashed', 'run_unknown', 'answer_invalid']);

/** Permanent failures to start a workspace process. They fail its run. */
const NOT_STARTED: ReadonlySet<string> = new Set(['process_crashed', 'process_timed_out']);

/** Why an assignment may be rejected. */
const NOT_ASSIGNED: ReadonlySet<string> = new Set([
  ...NOT_STARTED,
  'process_already_assigned',
  'process_export_missing',
  'request_ended',
  'request_invalid',
]);

const mayDie = (code: string, subject: string): boolean =>
  MAY_DIE.has(code) ||
  (NOT_STARTED.has(code) && subject.includes('.run.submit.')) ||
  (NOT_ASSIGNED.has(code) && subject.includes('.run.assign.'));

/** Whether the submit of the run came before the message, and did not fail. Then the message waits for the run to start. */
function followsSubmit({ code, id, subject }: DeadMessage, { dead: all, inbox: { messages } }: Server): boolean {
  const run = code === 'run_unknown' ? parseInboxSubject(subject) : undefined;
  if (!run) return false;
  const submit = messages.find((message) => message.subject.endsWith(`.run.submit.${run.workspaceId}.${run.runId}`));
  const first = messages.find((message) => message.id === id && message.subject === subject);
  const hasFailed = submit && all.some((letter) => letter.subject === submit.subject);
  return submit !== undefined && first !== undefined && !hasFailed && submit.seq < first.seq;
}

const dead: Check = ({ deadMessages, server }) =>
  deadMessages
    .filter((letter) => !mayDie(letter.code, letter.subject) || followsSubmit(letter, server))
    .map(({ code, id, message, subject }) => ({ message: `dead letter ${subject} (${id}): ${code}: ${message}` }));

/** At the end a session is free, and has the turns of its completed runs in order. */
const sessionState: Check = ({ evidence, server }) => {
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
const sessions: Check = (given) => {
  const ran = new Set(ranInSessions(given.evidence.journals).map(({ run }) => run.runId));
  const accepted = given.accepted.filter(({ requestId }) => ran.has(requestId));
  return SHARED.sessions?.({ ...given, accepted }) ?? [];
};

/** Maximum number of tries of a run whose journal cannot be used, by one owner. */
const MAX_TRIES = 30;

/** A run that keeps failing is tried after growing delays. */
const backoff: Check = ({ crowd, server }) =>
  [...server.failedTries]
    .filter(([, tries]) => tries > MAX_TRIES * (crowd.hasCrashes ? 4 : 1))
    .map(([runId, tries]) => about(runId, `it was tried ${tries} times while its journal could not be used`));

/** Maximum time until the request of a well-behaved client starts while others misbehave. */
const MAX_START_MS = 3_000;

/** Misbehaving clients and runs do not delay the others. */
const fairness: Check = ({ crowd, evidence }) =>
  (crowd.hasCrashes ? [] : crowd.probes).flatMap(({ requestId, submittedAt }) => {
    const started = evidence.events.find(
      (event) => event.requestId === requestId && event.type === 'runtime.request.started',
    );
    const ms = (started?.storedAt ?? Number.POSITIVE_INFINITY) - submittedAt;
    return ms <= MAX_START_MS ? [] : [about(requestId, `it started ${ms} ms after its submission`)];
  });

/** Every accepted signal reaches its run, in order. */
const floods: Check = ({ crowd, evidence, unsettled }) =>
  crowd.floods.flatMap(({ payloads, requestId }) => {
    const end = evidence.events.find((event) => event.requestId === requestId && TERMINAL.test(event.type));
    const output = JSON.stringify(end?.body?.output);
    const isComplete = output === JSON.stringify(payloads);
    return unsettled !== undefined || isComplete ? [] : [about(requestId, `it received the signals ${output}`)];
  });

/** No run is parked when everything has been handled. */
const parked: Check = ({ server, unsettled }) =>
  unsettled !== undefined ? [] : [...server.parked.values()].map(({ requestId }) => about(requestId, 'it is parked'));

const CHECKS: Readonly<Record<string, Check>> = {
  settled,
  endings,
  journals: (given) => SHARED.journals?.(given) ?? [],
  facts: (given) => SHARED.facts?.(given) ?? [],
  leftovers: (given) => SHARED.leftovers?.(given) ?? [],
  effects,
  stages,
  attempts,
  deadlines,
  queued,
  orders,
  suspensions,
  answers,
  fencing,
  divergence,
  readers,
  archived,
  dead,
  sessions,
  sessionState,
  fairness,
  backoff,
  floods,
  parked,
  timers,
};

/** Runs all checks. The replay check runs only when the others find nothing. */
export async function checkAll(given: SimulatedCase): Promise<Violation[]> {
  const hadPowerFailure = given.server.powerFailures > 0;
  const found = Object.entries(hadPowerFailure ? AFTER_POWER_FAILURES : CHECKS).flatMap(([check, find]) =>
    find(given).map((finding) => ({ check, ...finding })),
  );
  if (found.length > 0 || hadPowerFailure) return found;
  return (await determinism(given)).map((finding) => ({ check: 'determinism', ...finding }));
}

/** Replaying each journal gives the recorded decisions. With a reassigned process, each part is replayed separately. */
async function determinism({ evidence, server }: SimulatedCase): Promise<Finding[]> {
  const parts = [...evidence.journals.values()].flatMap(({ entries, run }) => [
    ...entries.flatMap((entry, at) => (isAssignment(entry) ? [{ entries: entries.slice(0, at), run }] : [])),
    { entries, run },
  ]);
  const findings = parts.map(async ({ entries, run }) => {
    const state = stateOf({ entries, run });
    const definition = definitionOf(state);
    if (!definition || mayDiverge(state.process.id, entries)) return [];
    const blobs = { get: async (ref: { sha256: string; size: number }) => jsonOf(server.getBlob(ref)) };
    const { divergence } = await replayRun({
      everyStart: true,
      run,
      entries,
      definition,
      blobs,
    } as Parameters<typeof replayRun>[0]);
    return divergence ? [about(run.runId, `its replay diverges: ${JSON.stringify(divergence)}`)] : [];
  });
  return (await Promise.all(findings)).flat();
}

const jsonOf = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

/** Undefined for an unknown process; its run failed because of that. */
function definitionOf(state: RunState): ProcessDefinition | undefined {
  const { codeHash, id } = state.process;
  if (isAuthored(id)) return isAuthoredHere(id) ? authoredProcesses(codeHash)(id) : undefined;
  try {
    return definitionFor(processesOf('v1')(id, codeHash), state);
  } catch {
    return undefined;
  }
}

/** Whether changed code may have decided differently, after the run had waited for an operator. */
const mayDiverge = (id: string, entries: readonly Entry[]): boolean =>
  isVersioned(id) && entries.some(({ type }) => type === 'PROCESS_RUNTIME_ERROR');

const isDivergence = (entry: Entry): boolean =>
  entry.type === 'PROCESS_RUNTIME_ERROR' && entry.data.error.code === 'replay_nondeterminism';
