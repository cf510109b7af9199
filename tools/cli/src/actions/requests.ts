import { wholeNumber } from '../arguments.ts';
import type { AgentProcessDetail, RequestDetail, RequestListed } from '../client/api-types.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { eventLine } from '../output/event-line.ts';
import { printJson, printRun, stageTable } from '../output/print.ts';
import { table } from '../output/table.ts';
import { follow } from '../run/follow.ts';
import { runResult, stageRows } from '../run/result.ts';

const clientOf = (context: CliContext): GatewayClient => new GatewayClient(gatewayAddress(context));

export async function list(context: CliContext, limit: string): Promise<ExitCode> {
  const path = `/requests?limit=${wholeNumber(limit, '--limit')}`;
  const page = await clientOf(context).get<{ requests: readonly RequestListed[] }>(path);
  if (context.json) printJson(context, page);
  else context.out(`${table(['requestId', 'workspaceId', 'sessionId', 'status'], page.requests.flatMap(listRows))}\n`);
  return EXIT.ok;
}

/** A request, and its child runs indented below it. */
function listRows({ requestId, workspaceId, sessionId, status, children = [] }: RequestListed): string[][] {
  const below = children.flatMap(listRows).map(([id = '', ...rest]) => [`  ${id}`, ...rest]);
  return [[requestId, workspaceId, sessionId, status], ...below];
}

export async function show(context: CliContext, id: string): Promise<ExitCode> {
  const result = await runResult(clientOf(context), id);
  if (context.json) printJson(context, result);
  else printRun(context, result);
  return EXIT.ok;
}

export async function events(context: CliContext, id: string): Promise<ExitCode> {
  for await (const body of follow(clientOf(context), id, new AbortController().signal)) {
    if (context.json) context.out(`${JSON.stringify(body)}\n`);
    else context.out(`${eventLine(body) ?? String(body.type)}\n`);
  }
  return EXIT.ok;
}

export async function cancel(context: CliContext, id: string, reason: string | undefined): Promise<ExitCode> {
  const answer = await clientOf(context).post(`/requests/${encodeURIComponent(id)}/cancel`, reason ? { reason } : {}, {
    'idempotency-key': crypto.randomUUID(),
  });
  if (context.json) printJson(context, answer ?? { requestId: id });
  else context.note(`cancelling ${id}`);
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
