import {
  type CommandRunSubmit,
  defined,
  type EntryData,
  type JsonObject,
  ReinsError,
  traceHeadersOf,
} from '@reins/contracts';
import {
  type Entry,
  type EntryDraft,
  effectIdOf,
  effectiveEntries,
  effectKind,
  foldRun,
  hashJson,
  type RunState,
} from '@reins/journal';
import { isAssignment, rechainEntries } from '@reins/replay';
import { assignBy } from './start-run.ts';

/** The inputs for building a fork. */
export interface ForkSource {
  readonly command: CommandRunSubmit & { readonly fork: NonNullable<CommandRunSubmit['fork']> };
  /** The journal of the origin run. */
  readonly entries: readonly Entry[];
  /** Returns the process inputs of the fork. */
  readonly inputsFor: (
    before: Pick<EntryData['RUN_CREATED'], 'process' | 'inputs'>,
    shared: readonly Entry[],
  ) => Pick<EntryData['RUN_CREATED'], 'inputs' | 'metadata'>;
  readonly now: string;
}

/**
 * Builds the first entries of a fork from the entries of the origin run: same results and times, but effect ids of the
 * fork. Entries that belong to the origin alone are left out: costs, operator actions, and the progress of pending work.
 * The shared part ends before a preparation whose stage did not complete in it, because a stage cannot run with what
 * was prepared for another run.
 * @throws ReinsError `request_not_found`; `request_invalid` when the origin had ended or was being cancelled there
 */
export function forkedRun({ command, entries, inputsFor, now }: ForkSource): Entry[] {
  const { requestId, workspaceId, sessionId, agentId, idempotencyKey, fork, retryOf } = command;
  const origin = { workspaceId, runId: fork.requestId };
  const prefix = prefixOf(entries, fork);
  const state = foldRun(origin, prefix);
  const wrong = state.end?.status ?? (state.cancelRequested && 'being cancelled');
  if (wrong) throw invalid(`request ${fork.requestId} is ${wrong} at entry ${fork.at} and cannot be forked there`);
  const complete = completePart(effectiveEntries(prefix), state);
  const pending = pendingIn(complete);
  const shared = complete.filter((entry) => isShared(entry, pending));
  const [first, ...rest] = shared as [Entry<'RUN_CREATED'>, ...Entry[]];
  const { parent: _, retryOf: __, traceparent: ___, tracestate: ____, userId: _____, ...kept } = first.data;
  const { forkedFrom: before, ...created } = kept;
  const identity = typeof before?.identity === 'string' ? before.identity : fork.requestId;
  const data: EntryData['RUN_CREATED'] = {
    ...created,
    sessionId,
    agentId,
    idempotencyKey,
    process: state.process.id === created.process.id ? state.process : created.process,
    ...inputsFor(created, shared),
    forkedFrom: { requestId: fork.requestId, version: fork.at, identity, shared: shared.length, at: now },
    ...defined({ retryOf, userId: command.userId }),
    ...traceHeadersOf(command.traceparent === undefined ? first.data : command),
    ...(created.assignBy !== undefined && { assignBy: assignBy(new Date(now)) }),
  };
  const ids = new Map(rest.flatMap((entry) => (entry.type === 'EFFECT_REQUESTED' ? [ownId(entry, requestId)] : [])));
  const assigned = rest.findLast(isAssignment);
  const own = rest.map((entry) =>
    entry === assigned ? assignmentForFork(assigned, state, inputsFor, shared) : withOwnIds(entry, ids),
  );
  return rechainEntries([{ ...first, data }, ...own]);
}

/** The last assignment of the origin, with the fork's inputs and without the command that requested it. */
function assignmentForFork(
  { type, data, recordedAt }: Entry<'PROCESS_ASSIGNED'>,
  { process: now }: RunState,
  inputsFor: ForkSource['inputsFor'],
  shared: readonly Entry[],
): Pick<Entry, 'type' | 'data' | 'recordedAt'> {
  const { idempotencyKey: _, requestedBy: __, ...rest } = data;
  const process = now.id === data.process.id ? now : data.process;
  return {
    type,
    recordedAt,
    data: { ...rest, process, ...inputsFor({ process, inputs: data.inputs ?? null }, shared) },
  };
}

function prefixOf(entries: readonly Entry[], { requestId, at }: ForkSource['command']['fork']): readonly Entry[] {
  if (entries.length === 0)
    throw new ReinsError({
      code: 'request_not_found',
      message: `request ${requestId} does not exist in this workspace`,
      path: 'fork.requestId',
    });
  if (at > entries.length) throw invalid(`request ${requestId} has entries 1 to ${entries.length}, not ${at}`);
  return entries.slice(0, at);
}

/** The entries before the first preparation whose stage did not complete. */
function completePart(entries: readonly Entry[], { assignedVersion, effects }: RunState): readonly Entry[] {
  const all = [...effects.values()].filter(({ requestedVersion }) => requestedVersion > assignedVersion);
  const unfinished = all.find(
    ({ kind, request, requestedVersion }) =>
      effectKind(kind).stageWork === 'preparation' &&
      !all.some(
        (stage) =>
          effectKind(stage.kind).stageWork === 'run' &&
          stage.request.stage === request.stage &&
          stage.requestedVersion > requestedVersion &&
          stage.status === 'resolved',
      ),
  );
  return unfinished ? entries.filter(({ version }) => version < unfinished.requestedVersion) : entries;
}

const ORIGIN_ONLY: ReadonlySet<string> = new Set([
  'COST_TRACKED',
  'BUDGET_EXCEEDED',
  'EFFECT_PROGRESS',
  'PROCESS_CODE_CHANGED',
  'PROCESS_RUNTIME_ERROR',
  'RUN_PAUSED',
  'RUN_RESUMED',
]);
const WORKER_PROGRESS: ReadonlySet<string> = new Set([
  'EFFECT_CLAIMED',
  'EFFECT_STARTED',
  'EFFECT_WAITING',
  'EFFECT_ANSWERED',
]);

function pendingIn(entries: readonly Entry[]): ReadonlySet<string> {
  const pending = new Set<string>();
  for (const { type, data } of entries) {
    if (type === 'EFFECT_REQUESTED') pending.add(data.effectId);
    else if (type === 'EFFECT_RESOLVED' || type === 'EFFECT_CANCELLED') pending.delete(data.effectId);
  }
  return pending;
}

function isShared({ type, data }: Entry, pending: ReadonlySet<string>): boolean {
  if (ORIGIN_ONLY.has(type)) return false;
  return !WORKER_PROGRESS.has(type) || !('effectId' in data) || !pending.has(String(data.effectId));
}

const ownId = ({ data }: Entry<'EFFECT_REQUESTED'>, runId: string): [string, string] => [
  data.effectId,
  effectIdOf(runId, data.key),
];

/** Replaces effect ids, also inside requests: an approval, a child run or a task definition may contain its effect id. */
function withOwnIds(entry: Entry, ids: ReadonlyMap<string, string>): Pick<Entry, 'type' | 'data' | 'recordedAt'> {
  const own = 'effectId' in entry.data ? ids.get(String(entry.data.effectId)) : undefined;
  if (own === undefined) return entry;
  const { effectId: before } = entry.data as { readonly effectId: string };
  const { type, recordedAt } = entry;
  if (entry.type === 'EFFECT_REQUESTED') {
    const request = renamed(entry.data.request, before, own);
    const { kind, argsHash, requestRef } = entry.data;
    const isSame = hashJson(request) === hashJson(entry.data.request) || requestRef !== undefined;
    const hash = isSame ? argsHash : hashJson({ kind, request });
    return { type, recordedAt, data: { ...entry.data, effectId: own, request, argsHash: hash } } as EntryDraft & Entry;
  }
  const approval = 'approvalId' in entry.data && entry.data.approvalId === before ? { approvalId: own } : {};
  return { type, recordedAt, data: { ...entry.data, effectId: own, ...approval } } as EntryDraft & Entry;
}

function renamed(request: JsonObject, before: string, own: string): JsonObject {
  const text = JSON.stringify(request).replaceAll(before, own);
  return JSON.parse(text.replaceAll(before.replace(/^ef_/, 'run_'), own.replace(/^ef_/, 'run_'))) as JsonObject;
}

const invalid = (message: string): ReinsError =>
  new ReinsError({
    code: 'request_invalid',
    message,
    path: 'fork.at',
    hint: 'List the entries with `reins run:events`.',
  });
