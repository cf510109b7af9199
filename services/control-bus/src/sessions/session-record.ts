import {
  defined,
  type EndedStage,
  isObject,
  type JsonValue,
  type LastRun,
  type SessionRecord,
  type SessionState,
  type SessionTurn,
  type Stage,
  type StageHandoff,
  type Turn,
} from '@reins/contracts';
import { effectKind, isAuthored, type RunState } from '@reins/journal';
import { withStageSessions } from '../processes/stage-sessions.ts';

/** Maximum number of queued requests per session. */
export const QUEUE_LIMIT = 100;
/** The number of turns that a session keeps, and the length of each. */
const TURNS = 20;
const TURN_CHARACTERS = 2_000;
/** The length of the compaction boundary, and of each dropped turn in it. */
const BOUNDARY_CHARACTERS = 2_000;
const FORGOTTEN_CHARACTERS = 120;
/** The number of ended requests whose ids a session keeps. */
const ENDED_IDS = 100;

export const EMPTY_SESSION: SessionRecord = { state: {}, queued: [] };

export type Entered =
  | { readonly status: 'running'; readonly record: SessionRecord }
  | { readonly status: 'queued'; readonly record: SessionRecord }
  | { readonly status: 'full' | 'expired' };

/** Adds a request to its session: it runs if no other does, and is queued otherwise. Idempotent. */
export function enter(record: SessionRecord, turn: SessionTurn): Entered {
  const { requestId } = turn;
  if (record.expiredAt !== undefined) return { status: 'expired' };
  if (record.running?.requestId === requestId || hasRun(record, requestId)) return { status: 'running', record };
  if (record.queued.some((queued) => queued.requestId === requestId)) return { status: 'queued', record };
  if (!record.running) return { status: 'running', record: { ...record, running: turn } };
  if (record.queued.length >= QUEUE_LIMIT) return { status: 'full' };
  return { status: 'queued', record: { ...record, queued: [...record.queued, turn] } };
}

/**
 * Whether the request has run. Then a repeated submit takes no place, and its owner finds the existing journal.
 * Otherwise a paused process that lost the partition could take a place that is never released.
 */
function hasRun({ left = [], state: { lastRequestId, turns = [] } }: SessionRecord, requestId: string): boolean {
  return lastRequestId === requestId || left.includes(requestId) || turns.some((turn) => turn.requestId === requestId);
}

/** Whether the request would be queued. Its command is then stored with its place in the queue. */
export function hasToWait(record: SessionRecord, requestId: string): boolean {
  return record.running !== undefined && record.running.requestId !== requestId;
}

/** The place of a request that has not ended. */
export function turnOf({ running, queued }: SessionRecord, requestId: string): SessionTurn | undefined {
  return [...(running ? [running] : []), ...queued].find((turn) => turn.requestId === requestId);
}

/**
 * Applies the end of a run: the session takes over its results, and the next request runs. A request that ended while it
 * was queued only leaves the queue. Returns the same record when nothing changes.
 */
export function leave(record: SessionRecord, ended: RunState): SessionRecord {
  const { runId } = ended.run;
  if (record.running?.requestId !== runId) return leaveQueue(record, runId);
  const { running: _, ...rest } = record;
  const [next, ...queued] = record.queued;
  const state = isNewTo(record.state, ended) ? sessionAfter(record.state, ended) : record.state;
  return { ...rest, state, queued, left: withEnded(record, runId), ...(next && { running: next }) };
}

/** Removes a lost request, so that the next one runs. Returns the same record if the lost one was not running. */
export function release(record: SessionRecord, requestId: string): SessionRecord {
  const { running, ...rest } = record;
  if (running?.requestId !== requestId) return record;
  const [next, ...queued] = record.queued;
  return { ...rest, queued, ...(next && { running: next }) };
}

const withEnded = ({ left = [] }: SessionRecord, requestId: string): readonly string[] =>
  [...left.filter((id) => id !== requestId), requestId].slice(-ENDED_IDS);

/**
 * Whether the run's results are new to the session. The submit of a run that ended long ago may be redelivered and take
 * a place; such a run inherited an older session state. A fork inherited the state of its origin.
 */
const isNewTo = (before: SessionState, { session, forked }: RunState): boolean =>
  forked !== undefined || session.lastRequestId === before.lastRequestId;

function leaveQueue(record: SessionRecord, requestId: string): SessionRecord {
  const queued = record.queued.filter((turn) => turn.requestId !== requestId);
  return queued.length === record.queued.length ? record : { ...record, queued, left: withEnded(record, requestId) };
}

/**
 * The state that a request starts from. Sessions of executors that earlier versions kept are dropped: they belong to no
 * stage. The list of sessions is never absent, so that journals show which version started them.
 */
export function startState({ harnessSessions: _, ...state }: SessionState): SessionState {
  return { ...state, stageSessions: state.stageSessions ?? [] };
}

/** The state that the next request inherits. Only a completed run changes the tree and the executors' sessions. */
function sessionAfter(before: SessionState, ended: RunState): SessionState {
  const { end, revision, run } = ended;
  const lastRun = lastRunOf(ended);
  if (end?.status !== 'completed') return { ...before, lastRequestId: run.runId, ...(lastRun && { lastRun }) };
  const stages = [...ended.effects.values()].filter(
    ({ kind, result }) => effectKind(kind).stageWork === 'run' && result?.status === 'ok',
  );
  const results = stages.map(({ request, result }) => ({
    runtimeId: String(request.runtimeId),
    stage: request.stage as Stage,
    value: fieldsOf(result),
  }));
  const tree = results.at(-1)?.value.tree;
  const { agentId } = ended;
  const sessions = results.flatMap(({ runtimeId, stage, value: { harnessSessionId } }) =>
    typeof harnessSessionId === 'string' ? [{ agentId, stage, runtimeId, harnessSessionId, requestId: run.runId }] : [],
  );
  const turn: Turn = {
    requestId: run.runId,
    input: shortened(inputOf(ended)),
    output: shortened(end.output),
    endedAt: end.endedAt,
  };
  const turns = [...(before.turns ?? []), turn];
  const endedStages = endedStagesOf(run.runId, results);
  const { endedStages: _, ...state } = startState(before);
  const boundary = boundaryAfter(before.compactionBoundary, turns.slice(0, -TURNS));
  return {
    ...state,
    lastRequestId: run.runId,
    ...(lastRun && { lastRun }),
    ...(endedStages.length > 0 && { endedStages }),
    revision,
    ...(typeof tree === 'string' && { tree }),
    stageSessions: withStageSessions(before.stageSessions ?? [], sessions),
    turns: turns.slice(-TURNS),
    ...defined({ compactionBoundary: boundary }),
  };
}

/** What the last execution of each stage left. */
function endedStagesOf(
  requestId: string,
  results: readonly (Pick<EndedStage, 'stage' | 'runtimeId'> & { readonly value: ReturnType<typeof fieldsOf> })[],
): readonly EndedStage[] {
  const last = new Map(results.map((result) => [result.stage, result]));
  return [...last.values()].flatMap(({ stage, runtimeId, value: { handoff } }) =>
    isObject(handoff) ? [{ stage, runtimeId, handoff: handoff as unknown as StageHandoff, requestId }] : [],
  );
}

/** The compaction boundary of a session: the inputs of dropped turns, newest last. */
function boundaryAfter(before: string | undefined, forgotten: readonly Turn[]): string | undefined {
  if (forgotten.length === 0) return before;
  const inputLines = forgotten.map(
    ({ input }) => `- ${input.replace(/\s+/g, ' ').trim().slice(0, FORGOTTEN_CHARACTERS)}`,
  );
  const lines = [...(before?.split('\n') ?? [BOUNDARY_HEADING]), ...inputLines];
  while (lines.join('\n').length > BOUNDARY_CHARACTERS) lines.splice(1, 1);
  return lines.join('\n');
}

const BOUNDARY_HEADING = 'In earlier turns the user asked:';

/** How a run ended, for the next run of the session. */
function lastRunOf({ effects, end, run }: RunState): LastRun | undefined {
  if (end === undefined) return undefined;
  const reason = end.status === 'failed' ? end.error.message : 'reason' in end ? end.reason : undefined;
  const question = [...effects.values()].find((effect) => effect.question !== undefined)?.question;
  return {
    requestId: run.runId,
    status: end.status === 'halted' ? 'completed' : end.status,
    ...(reason !== undefined && { reason: shortened(reason) }),
    endedAt: end.endedAt,
    ...defined({ question }),
  };
}

const fieldsOf = (
  result: { readonly value?: JsonValue } | undefined,
): Readonly<Record<string, JsonValue | undefined>> => (isObject(result?.value) ? result.value : {});

/** The input of the request. Authored processes receive it unchanged. */
const inputOf = ({ inputs, process }: RunState): JsonValue =>
  isAuthored(process.id) || !isObject(inputs) ? inputs : (inputs.input ?? null);

function shortened(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > TURN_CHARACTERS ? `${text.slice(0, TURN_CHARACTERS)}…` : text;
}
