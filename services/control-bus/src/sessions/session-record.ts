import {
  isObject,
  type JsonValue,
  type LastRun,
  type SessionRecord,
  type SessionState,
  type SessionTurn,
  type Turn,
} from '@reins/contracts';
import type { RunState } from '@reins/journal';
import { isAuthored } from '../processes/runner-of.ts';

/** How many requests of one session may wait. */
export const QUEUE_LIMIT = 100;
/** How many turns a session remembers, and how much of each. */
const TURNS = 20;
const TURN_CHARACTERS = 2_000;
/** How much a session remembers of what it no longer remembers turn by turn. */
const BOUNDARY_CHARACTERS = 2_000;
const FORGOTTEN_CHARACTERS = 120;
/** How many requests that have left it a session knows again. */
const LEFT = 100;

export const EMPTY_SESSION: SessionRecord = { state: {}, queued: [] };

export type Entered =
  | { readonly status: 'running'; readonly record: SessionRecord }
  | { readonly status: 'queued'; readonly record: SessionRecord }
  | { readonly status: 'full' };

/** A request comes to its session: it runs if nobody does, and waits otherwise. Coming twice changes nothing. */
export function enter(record: SessionRecord, turn: SessionTurn): Entered {
  const { requestId } = turn;
  if (record.running?.requestId === requestId || hasRun(record, requestId)) return { status: 'running', record };
  if (record.queued.some((queued) => queued.requestId === requestId)) return { status: 'queued', record };
  if (!record.running) return { status: 'running', record: { ...record, running: turn } };
  if (record.queued.length >= QUEUE_LIMIT) return { status: 'full' };
  return { status: 'queued', record: { ...record, queued: [...record.queued, turn] } };
}

/**
 * A request that comes again after its end takes no place: its run is there, which whoever begins it will see. Were it one who was stopped
 * for long, and owns it no more, nobody would give the place back.
 */
function hasRun({ left = [], state: { lastRequestId, turns = [] } }: SessionRecord, requestId: string): boolean {
  return lastRequestId === requestId || left.includes(requestId) || turns.some((turn) => turn.requestId === requestId);
}

/** Whether the request would have to wait: then its command is kept with its place. */
export function hasToWait(record: SessionRecord, requestId: string): boolean {
  return record.running !== undefined && record.running.requestId !== requestId;
}

/** The place of a request that has not begun. */
export function turnOf({ running, queued }: SessionRecord, requestId: string): SessionTurn | undefined {
  return [...(running ? [running] : []), ...queued].find((turn) => turn.requestId === requestId);
}

/**
 * A run has ended: the session is as it left it, and the next request runs. One that ended while it waited only leaves the
 * queue. The same record = nothing to change.
 */
export function leave(record: SessionRecord, ended: RunState): SessionRecord {
  const { runId } = ended.run;
  if (record.running?.requestId !== runId) return leaveQueue(record, runId);
  const { running: _, ...rest } = record;
  const [next, ...queued] = record.queued;
  const state = isNextOf(record.state, ended) ? sessionAfter(record.state, ended) : record.state;
  return { ...rest, state, queued, left: withLast(record, runId), ...(next && { running: next }) };
}

const withLast = ({ left = [] }: SessionRecord, requestId: string): readonly string[] =>
  [...left.filter((id) => id !== requestId), requestId].slice(-LEFT);

/**
 * Whether what the run left is not in the session yet. The submit of one that ended long ago may come once more and take a place; it inherited
 * another session than this one is now. A fork inherited that of the run that it is a fork of.
 */
const isNextOf = (before: SessionState, { session, forked }: RunState): boolean =>
  forked !== undefined || session.lastRequestId === before.lastRequestId;

function leaveQueue(record: SessionRecord, requestId: string): SessionRecord {
  const queued = record.queued.filter((turn) => turn.requestId !== requestId);
  return queued.length === record.queued.length ? record : { ...record, queued, left: withLast(record, requestId) };
}

/** What the next request inherits. Only a completed run changes the tree and the executors' own sessions. */
function sessionAfter(before: SessionState, ended: RunState): SessionState {
  const { end, revision, run } = ended;
  const lastRun = lastRunOf(ended);
  if (end?.status !== 'completed') return { ...before, lastRequestId: run.runId, ...(lastRun && { lastRun }) };
  const stages = [...ended.effects.values()].filter(({ kind, result }) => kind === 'stage' && result?.status === 'ok');
  const results = stages.map(({ request, result }) => ({
    runtimeId: String(request.runtimeId),
    value: fieldsOf(result),
  }));
  const tree = results.at(-1)?.value.tree;
  const sessions = results.flatMap(({ runtimeId, value }) =>
    typeof value.harnessSessionId === 'string' ? [[runtimeId, value.harnessSessionId] as const] : [],
  );
  const turn: Turn = {
    requestId: run.runId,
    input: inShort(inputOf(ended)),
    output: inShort(end.output),
    endedAt: end.endedAt,
  };
  const turns = [...(before.turns ?? []), turn];
  const boundary = boundaryAfter(before.compactionBoundary, turns.slice(0, -TURNS));
  return {
    ...before,
    lastRequestId: run.runId,
    ...(lastRun && { lastRun }),
    revision,
    ...(typeof tree === 'string' && { tree }),
    harnessSessions: { ...before.harnessSessions, ...Object.fromEntries(sessions) },
    turns: turns.slice(-TURNS),
    ...(boundary !== undefined && { compactionBoundary: boundary }),
  };
}

/** The compaction boundary of a session: what was asked in turns that it no longer remembers, the newest of them last. */
function boundaryAfter(before: string | undefined, forgotten: readonly Turn[]): string | undefined {
  if (forgotten.length === 0) return before;
  const asked = forgotten.map(({ input }) => `- ${input.replace(/\s+/g, ' ').trim().slice(0, FORGOTTEN_CHARACTERS)}`);
  const lines = [...(before?.split('\n') ?? [BOUNDARY_HEADING]), ...asked];
  while (lines.join('\n').length > BOUNDARY_CHARACTERS) lines.splice(1, 1);
  return lines.join('\n');
}

const BOUNDARY_HEADING = 'In earlier turns the user asked:';

/** How a run ended, for the one that comes after it. */
function lastRunOf({ end, run }: RunState): LastRun | undefined {
  if (end === undefined) return undefined;
  const reason = end.status === 'failed' ? end.error.message : 'reason' in end ? end.reason : undefined;
  return {
    requestId: run.runId,
    status: end.status === 'halted' ? 'completed' : end.status,
    ...(reason !== undefined && { reason: inShort(reason) }),
    endedAt: end.endedAt,
  };
}

const fieldsOf = (
  result: { readonly value?: JsonValue } | undefined,
): Readonly<Record<string, JsonValue | undefined>> => (isObject(result?.value) ? result.value : {});

/** What was asked: an authored process is given it as it is. */
const inputOf = ({ inputs, process }: RunState): JsonValue =>
  isAuthored(process.id) || !isObject(inputs) ? inputs : (inputs.input ?? null);

function inShort(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > TURN_CHARACTERS ? `${text.slice(0, TURN_CHARACTERS)}…` : text;
}
