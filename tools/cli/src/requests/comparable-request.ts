import { canonicalJson, eventSubject, type JsonObject, type JsonValue } from '@reins/contracts';
import { folded } from '@reins/control-bus/core';
import { requestView } from '@reins/gateway/request-view';
import { type LogItem, requestFromLog } from '@reins/store';
import type { RequestReading } from './request-journal.ts';

/** What the API tells of a request and its journal decides, as far as it does: no times, and nothing that an executor says by itself. */
export type ComparableRequest = JsonObject;

/** What the API must tell of a request: its facts follow from its journal, and its rows from these. Undefined while there are none. */
export async function requestFromJournal({
  entries,
  run,
  values,
}: RequestReading): Promise<ComparableRequest | undefined> {
  const { emissions } = await folded({ values }, run, { entries, lastCommitSize: entries.length });
  const items = emissions.map(({ id, body, version, runtimeId }, seq): LogItem => {
    const { type, workspaceId, requestId } = body;
    const subject = eventSubject({ type, workspaceId, requestId, ...(runtimeId !== undefined && { runtimeId }) });
    return { event: { id, seq, subject, source: 'journal', time: new Date(0).toISOString(), version, body } };
  });
  const rows = requestFromLog(items, run.runId);
  return rows && comparable(JSON.parse(JSON.stringify(requestView(rows)))); // as the API writes it
}

/** The same of an answer of the API. */
export const requestFromApi = (answer: JsonObject): ComparableRequest => comparable(answer);

const OF_REQUEST = [
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
const OF_WAITING = ['reason', 'effectId'];
const OF_STAGE = [
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
const OF_APPROVAL = ['approvalId', 'status', 'subject', 'decidedBy', 'comment'];

/** Each thing by a path of its own, whatever its order. */
function comparable(view: JsonObject): ComparableRequest {
  const stages = listOf(view.stages).map((row) => [
    `stages.${row.stage}.${row.attempt}.${row.effectId}`,
    row,
    OF_STAGE,
  ]);
  const approvals = listOf(view.approvals).map((row) => [`approvals.${row.approvalId}`, row, OF_APPROVAL]);
  const waiting = view.waiting ? [['waiting', view.waiting, OF_WAITING]] : [];
  const all = [['', view, OF_REQUEST], ...waiting, ...stages, ...approvals] as [string, JsonObject, string[]][];
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

/** One place at which something beside the journal says something else; null where a side has nothing there. */
export interface Difference {
  readonly path: string;
  readonly journal: JsonValue;
  readonly told: JsonValue;
}

export function differencesOf(journal: ComparableRequest, told: ComparableRequest): Difference[] {
  const paths = [...new Set([...Object.keys(journal), ...Object.keys(told)])];
  return paths
    .map((path) => ({ path, journal: journal[path] ?? null, told: told[path] ?? null }))
    .filter((one) => canonicalJson(one.journal) !== canonicalJson(one.told));
}
