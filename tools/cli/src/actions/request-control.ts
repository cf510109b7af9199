import type { JsonValue } from '@reins/contracts';
import type { ApprovalDetail, RequestDetail, TaskDetail } from '../client/api-types.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { table } from '../output/table.ts';

const clientOf = (context: CliContext): GatewayClient => new GatewayClient(gatewayAddress(context));

/** The gateway has taken it in; what becomes of it, the run says. */
const IF_AWAITED = ', if the run waits for it';

/** Sends a command to a request: `path` below the request, as the API has it. */
async function send(context: CliContext, id: string, path: string, body: object, proviso = ''): Promise<ExitCode> {
  const answer = await clientOf(context).post<{ status: string }>(`/requests/${encodeURIComponent(id)}/${path}`, body, {
    'idempotency-key': crypto.randomUUID(),
  });
  if (context.json) printJson(context, answer);
  else context.note(`${id}: ${answer.status}${proviso}`);
  return EXIT.ok;
}

/** Holds a request, lets it go on, or ends it. */
export function control(
  context: CliContext,
  id: string,
  how: 'pause' | 'resume' | 'halt',
  reason: string | undefined,
): Promise<ExitCode> {
  return send(context, id, how, reason === undefined ? {} : { reason });
}

export async function tasks(context: CliContext, id: string): Promise<ExitCode> {
  const { tasks: found } = await clientOf(context).get<{ tasks: readonly TaskDetail[] }>(
    `/requests/${encodeURIComponent(id)}/tasks`,
  );
  const cells = found.map(({ effectId, kind, label, taskId, status }) => [effectId, kind, label ?? taskId, status]);
  if (context.json) printJson(context, found);
  else context.out(`${table(['effect', 'kind', 'task', 'status'], cells)}\n`);
  return EXIT.ok;
}

/** Answers a question, a breakpoint or a task. */
export function answer(context: CliContext, id: string, effectId: string, value: string): Promise<ExitCode> {
  return send(context, id, 'answers', { effectId, answer: jsonOrText(value) }, IF_AWAITED);
}

/** Says that a task failed. */
export function fail(context: CliContext, id: string, effectId: string, message: string): Promise<ExitCode> {
  return send(context, id, `tasks/${effectId}/answer`, { error: { code: 'task_failed', message } }, IF_AWAITED);
}

export function signal(context: CliContext, id: string, name: string, payload: string | undefined): Promise<ExitCode> {
  return send(context, id, 'signals', { name, ...(payload !== undefined && { payload: jsonOrText(payload) }) });
}

/** Has an effect, and everything after it, asked for again. */
export function invalidate(
  context: CliContext,
  id: string,
  effectId: string,
  reason: string | undefined,
): Promise<ExitCode> {
  return send(context, id, `effects/${effectId}/invalidate`, reason === undefined ? {} : { reason });
}

export function decide(
  context: CliContext,
  id: string,
  approvalId: string,
  decision: 'approved' | 'denied',
  comment: string | undefined,
): Promise<ExitCode> {
  return send(
    context,
    id,
    `approvals/${approvalId}`,
    { decision, ...(comment !== undefined && { comment }) },
    IF_AWAITED,
  );
}

export async function approvals(context: CliContext, id: string): Promise<ExitCode> {
  const { approvals: found = [] } = await clientOf(context).get<RequestDetail>(`/requests/${encodeURIComponent(id)}`);
  if (context.json) printJson(context, found);
  else context.out(`${table(['approval', 'status', 'about', 'expires', 'decided by'], found.map(row))}\n`);
  return EXIT.ok;
}

const row = ({ approvalId, status, subject, expiresAt, decidedBy }: ApprovalDetail): string[] => [
  approvalId,
  status,
  subject?.label ?? subject?.toolId ?? subject?.kind ?? '',
  expiresAt ?? '',
  decidedBy ?? '',
];

/** What is no JSON is a text. */
function jsonOrText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
