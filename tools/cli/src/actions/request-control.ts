import type { JsonValue } from '@reins/contracts';
import type { ApprovalDetail, RequestDetail, TaskDetail } from '../client/api-types.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { table } from '../output/table.ts';

const clientOf = (context: CliContext): GatewayClient => new GatewayClient(gatewayAddress(context));

/** The gateway has stored the command; the run decides whether it applies. */
const IF_WAITING = ' (ignored if the run no longer waits for it)';

/** Posts a command to a request. `path` is relative to the URL of the request. */
async function send(context: CliContext, id: string, path: string, body: object, note = ''): Promise<ExitCode> {
  const answer = await clientOf(context).post<{ status: string }>(`/requests/${encodeURIComponent(id)}/${path}`, body, {
    'idempotency-key': crypto.randomUUID(),
  });
  if (context.json) printJson(context, answer);
  else context.note(`${id}: ${answer.status}${note}`);
  return EXIT.ok;
}

/** Pauses, resumes or halts a request. */
export function control(
  context: CliContext,
  id: string,
  action: 'pause' | 'resume' | 'halt',
  reason: string | undefined,
): Promise<ExitCode> {
  return send(context, id, action, reason === undefined ? {} : { reason });
}

export async function tasks(context: CliContext, id: string): Promise<ExitCode> {
  const { tasks: found } = await clientOf(context).get<{ tasks: readonly TaskDetail[] }>(
    `/requests/${encodeURIComponent(id)}/tasks`,
  );
  const cells = found.map(({ effectId, kind, label, taskId, status }) => [effectId, kind, label ?? taskId, status]);
  if (context.json) printJson(context, found);
  else context.out(`${table(['effectId', 'kind', 'label', 'status'], cells)}\n`);
  return EXIT.ok;
}

/** Answers a question, a breakpoint or a task. */
export function answer(context: CliContext, id: string, effectId: string, value: string): Promise<ExitCode> {
  return send(context, id, 'answers', { effectId, answer: jsonOrText(value) }, IF_WAITING);
}

/** Reports a task as failed. */
export function fail(context: CliContext, id: string, effectId: string, message: string): Promise<ExitCode> {
  return send(context, id, `tasks/${effectId}/answer`, { error: { code: 'task_failed', message } }, IF_WAITING);
}

export function signal(context: CliContext, id: string, name: string, payload: string | undefined): Promise<ExitCode> {
  return send(context, id, 'signals', { name, ...(payload !== undefined && { payload: jsonOrText(payload) }) });
}

/** Invalidates an effect: it and everything after it is requested again. */
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
    IF_WAITING,
  );
}

export async function approvals(context: CliContext, id: string): Promise<ExitCode> {
  const { approvals: found = [] } = await clientOf(context).get<RequestDetail>(`/requests/${encodeURIComponent(id)}`);
  if (context.json) printJson(context, found);
  else context.out(`${table(['approvalId', 'status', 'subject', 'expiresAt', 'decidedBy'], found.map(row))}\n`);
  return EXIT.ok;
}

const row = ({ approvalId, status, subject, expiresAt, decidedBy }: ApprovalDetail): string[] => [
  approvalId,
  status,
  subject?.label ?? subject?.toolId ?? subject?.kind ?? '',
  expiresAt ?? '',
  decidedBy ?? '',
];

/** Parses JSON; any other text is the value itself. */
function jsonOrText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
