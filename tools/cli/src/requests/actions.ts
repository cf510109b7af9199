import { setTimeout as sleep } from 'node:timers/promises';
import { defined, type JsonObject } from '@reins/contracts';
import { stageName, wholeNumber } from '../arguments.ts';
import type { AgentProcessDetail, RequestDetail, RequestListed } from '../client/api-types.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { listedEvents } from '../client/listed-events.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printHead, printJson, printRun, stageTable } from '../output/print.ts';
import { clockText, durationText, RunLines } from '../output/run-lines.ts';
import { shortened, table } from '../output/table.ts';
import { waitsText } from '../output/wait-lines.ts';
import { followHint } from '../run/actions.ts';
import { follow, TERMINAL } from '../run/follow.ts';
import { ENDED, runResult } from '../run/result.ts';
import { stageRows } from '../run/stage-rows.ts';
import { person } from './control-actions.ts';

const clientOf = (context: CliContext): GatewayClient => new GatewayClient(gatewayAddress(context));

export interface ListFlags {
  readonly limit: string;
  readonly workspace?: string;
  readonly session?: string;
  readonly status?: string;
  readonly watch?: boolean;
}

const WATCH_INTERVAL_MS = 2_000;

/** Lists requests; with `watch`, again every two seconds until the signal aborts. */
export async function list(context: CliContext, flags: ListFlags, signal?: AbortSignal): Promise<ExitCode> {
  const { limit, workspace, session, status } = flags;
  const query = new URLSearchParams({
    limit: String(wholeNumber(limit, '--limit')),
    ...defined({ workspaceId: workspace, sessionId: session, status }),
  });
  const client = clientOf(context);
  for (;;) {
    const page = await client.get<{ requests: readonly RequestListed[] }>(`/requests?${query}`);
    if (flags.watch && !context.json) context.out('\u001b[2J\u001b[H');
    if (context.json) printJson(context, page);
    else context.out(`${page.requests.length === 0 ? 'no requests' : requestTable(page.requests)}\n`);
    if (!flags.watch || signal?.aborted) return EXIT.ok;
    await sleep(WATCH_INTERVAL_MS, undefined, signal && { signal }).catch(() => undefined);
    if (signal?.aborted) return EXIT.ok;
  }
}

const LIST_HEADER = [
  'requestId',
  'workspaceId',
  'sessionId',
  'status',
  'startedAt',
  'duration',
  'waiting',
  'inputLine',
];

/** The table of requests. The column `waiting` is omitted if none waits. */
function requestTable(requests: readonly RequestListed[]): string {
  const rows = requests.flatMap(listRows);
  const at = LIST_HEADER.indexOf('waiting');
  const isShown = (_: string, column: number): boolean => column !== at || rows.some((row) => row[at] !== '');
  return table(
    LIST_HEADER.filter(isShown),
    rows.map((row) => row.filter(isShown)),
  );
}

/** What a listed request waits for: the reason, and what it is about. */
function waitingText({ waiting, progress = '' }: Pick<RequestListed, 'waiting' | 'progress'>): string {
  if (!waiting) return progress;
  const { reason, message = '' } = waiting;
  return shortened(
    message === '' || message.startsWith(reason) ? message || reason : `${reason}: ${message}`,
    MAX_INPUT,
  );
}

/** A request, and its child runs indented below it. */
function listRows({ children = [], ...request }: RequestListed): string[][] {
  const { requestId, workspaceId, sessionId, status, acceptedAt, durationMs, inputLine = '' } = request;
  const below = children.flatMap(listRows).map(([id = '', ...rest]) => [`  ${id}`, ...rest]);
  const { startedAt = acceptedAt ?? '' } = request;
  const isOpen = startedAt !== '' && !ENDED.has(status);
  // The clock of the gateway may be ahead.
  const elapsedMs = durationMs ?? (isOpen ? Math.max(0, Date.now() - Date.parse(startedAt)) : undefined);
  const duration = elapsedMs === undefined ? '' : durationText(elapsedMs);
  const about = `${linkText(request)}${shortened(inputLine, MAX_INPUT)}`.trimEnd();
  return [
    [
      requestId,
      workspaceId,
      sessionId,
      request.halted ? 'halted' : status,
      startedAt,
      duration,
      waitingText(request),
      about,
    ],
    ...below,
  ];
}

/** Why a listed request was halted, what it retries, and what retries it, before its input. */
function linkText({ retryOf, retriedBy = [], haltReason }: RequestListed): string {
  const retried = retriedBy.length > 0 ? `(retried by ${retriedBy.join(', ')}) ` : '';
  const why = haltReason === undefined ? '' : `(halted: ${haltReason}) `;
  return `${why}${retryOf === undefined ? '' : `(retry of ${retryOf}) `}${retried}`;
}

const MAX_INPUT = 60;

export async function show(context: CliContext, id: string): Promise<ExitCode> {
  const result = await runResult(clientOf(context), id);
  if (context.json) printJson(context, result);
  else {
    printHead(context, result);
    printRun(context, result);
  }
  return EXIT.ok;
}

/** Prints the events of a request: those of the past with the time of their publication, then new ones until the end. */
export async function events(context: CliContext, id: string): Promise<ExitCode> {
  const client = clientOf(context);
  const lines = new RunLines({ isPast: true });
  const print = (body: JsonObject, at: Date): void => {
    const type = isForPrograms(body) ? undefined : `${clockText(at)}  ${String(body.type)}`;
    const line = context.json ? JSON.stringify(body) : context.typed(lines.line(body, at) ?? type ?? '');
    if (line !== '') context.out(`${line}\n`);
  };
  let last = 0;
  let ended = false;
  for await (const { body, time, seq, type } of listedEvents(client, id)) {
    print(body, new Date(time));
    last = seq;
    ended ||= TERMINAL.has(type);
  }
  if (ended) return EXIT.ok;
  const { waits = [] } = await runResult(client, id);
  if (waits.length > 0 && !context.json) context.out(`${context.typed(waitsText(id, waits))}\n`);
  lines.isPast = false;
  for await (const { body, at } of follow(client, id, new AbortController().signal, { afterSeq: last }))
    print(body, at);
  return EXIT.ok;
}

/** Directives and requests of services mean something to programs only. */
const isForPrograms = ({ type }: JsonObject): boolean =>
  type === 'control.directive.emitted' || String(type).endsWith('.requested');

export async function cancel(context: CliContext, id: string, reason: string | undefined): Promise<ExitCode> {
  const body = { ...(reason && { reason }), ...person(context, 'requestedBy') };
  const answer = await clientOf(context).post(`/requests/${encodeURIComponent(id)}/cancel`, body, {
    'idempotency-key': crypto.randomUUID(),
  });
  if (context.json) printJson(context, answer ?? { requestId: id });
  else context.note(`cancelling ${id}`);
  return EXIT.ok;
}

/** Retries an ended request as a new one: completely, or from a stage on. */
export async function retry(context: CliContext, id: string, from: string | undefined): Promise<ExitCode> {
  const body = from === undefined ? {} : { from: stageName(from) };
  const { requestId, sessionId } = await clientOf(context).post<{ requestId: string; sessionId: string }>(
    `/requests/${encodeURIComponent(id)}/retry`,
    body,
    { 'idempotency-key': crypto.randomUUID() },
  );
  if (context.json) printJson(context, { requestId, retryOf: id, sessionId, status: 'accepted' });
  else context.out(`${requestId}\n`);
  context.note(followHint(requestId));
  return EXIT.ok;
}

export async function stages(context: CliContext, id: string): Promise<ExitCode> {
  const rows = stageRows(await clientOf(context).get<RequestDetail>(`/requests/${encodeURIComponent(id)}`));
  if (context.json) printJson(context, rows);
  else context.out(`${stageTable(id, rows)}\n`);
  return EXIT.ok;
}

const AGENT_PROCESS_COLUMNS = [
  'requestId',
  'stage',
  'runtimeId',
  'runtimeSource',
  'attempt',
  'state',
  'hostId',
  'startedAt',
  'endedAt',
] as const;

/** `reins agent-processes` */
export async function agentProcesses(context: CliContext, id: string | undefined, limit: string): Promise<ExitCode> {
  const ofRequest = id === undefined ? '' : `&requestId=${encodeURIComponent(id)}`;
  const path = `/agent-processes?limit=${wholeNumber(limit, '--limit')}${ofRequest}`;
  const page = await clientOf(context).get<{ agentProcesses: readonly AgentProcessDetail[] }>(path);
  const rows = page.agentProcesses.map((row) => AGENT_PROCESS_COLUMNS.map((name) => String(row[name] ?? '')));
  if (context.json) printJson(context, page);
  else context.out(`${table(AGENT_PROCESS_COLUMNS, rows)}\n`);
  return EXIT.ok;
}
