import { canonicalJson, defined, eventSubject, type JsonObject, type JsonValue } from '@reins/contracts';
import { foldWithReaction } from '@reins/control-bus/core';
import { requestView } from '@reins/gateway/request-view';
import { type LogItem, requestFromLog } from '@reins/store';
import type { LoadedRequest } from './request-journal.ts';

/** The fields of a request that its journal determines, by path. Times and free-form executor output are left out. */
export type ComparableRequest = JsonObject;

/** Computes the request from its journal: facts from entries, rows from facts. Undefined while there are no facts. */
export async function requestFromJournal({
  entries,
  run,
  values,
}: LoadedRequest): Promise<ComparableRequest | undefined> {
  const { emissions } = await foldWithReaction({ values }, run, { entries, lastCommitSize: entries.length });
  const items = emissions.map(({ id, body, version, runtimeId }, seq): LogItem => {
    const { type, workspaceId, requestId } = body;
    const subject = eventSubject({ type, workspaceId, requestId, ...defined({ runtimeId }) });
    return { event: { id, seq, subject, source: 'journal', time: new Date(0).toISOString(), version, body } };
  });
  const rows = requestFromLog(items, run.runId);
  return rows && comparable(JSON.parse(JSON.stringify(requestView(rows)))); // as serialized by the API
}

/** The same fields of an API response. Its child runs are left out, because they have journals of their own. */
export function requestFromApi(response: JsonObject): ComparableRequest {
  const stages = listOf(response.stages);
  const own = stages.filter(({ requestId = response.requestId }) => requestId === response.requestId);
  if (own.length === stages.length) return comparable(response);
  const completed = own.filter(({ status }) => status === 'completed');
  const last = completed.sort((a, b) => String(a.endedAt).localeCompare(String(b.endedAt))).at(-1);
  return comparable({ ...response, stages: own, tree: last?.tree ?? null });
}

const REQUEST_FIELDS = [
  'workspaceId',
  'sessionId',
  'agentId',
  'status',
  'output',
  'error',
  'cancelReason',
  'tree',
  'halted',
];
const WAITING_FIELDS = ['reason', 'effectId'];
const STAGE_FIELDS = [
  'effectId',
  'stage',
  'attempt',
  'runtimeId',
  'runtimeSource',
  'directive',
  'status',
  'hostId',
  'tree',
  'output',
  'verdict',
  'error',
  'outcome',
];
const APPROVAL_FIELDS = ['approvalId', 'status', 'subject', 'decidedBy', 'comment'];

/** Flattens a request into fields by path. The order of rows does not matter. */
function comparable(view: JsonObject): ComparableRequest {
  const stages = listOf(view.stages).map((row) => [
    `stages.${row.stage}.${row.attempt}.${row.effectId}`,
    row,
    STAGE_FIELDS,
  ]);
  const approvals = listOf(view.approvals).map((row) => [`approvals.${row.approvalId}`, row, APPROVAL_FIELDS]);
  const waiting = view.waiting ? [['waiting', view.waiting, WAITING_FIELDS]] : [];
  const all = [['', view, REQUEST_FIELDS], ...waiting, ...stages, ...approvals] as [string, JsonObject, string[]][];
  return Object.fromEntries(
    all.flatMap(([at, of, names]) =>
      names.flatMap((name) => {
        const value = of[name];
        return value === undefined || value === null ? [] : [[at === '' ? name : `${at}.${name}`, value]];
      }),
    ),
  );
}

const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as JsonObject[]) : [];

/** A field whose derived value differs from the journal; null stands for an absent field. */
export interface Difference {
  readonly path: string;
  readonly journal: JsonValue;
  /** The derived value. The name is part of the JSON output. */
  readonly told: JsonValue;
}

export function differencesOf(journal: ComparableRequest, derived: ComparableRequest): Difference[] {
  const paths = [...new Set([...Object.keys(journal), ...Object.keys(derived)])];
  return paths
    .map((path) => ({ path, journal: journal[path] ?? null, told: derived[path] ?? null }))
    .filter((one) => canonicalJson(one.journal) !== canonicalJson(one.told));
}
