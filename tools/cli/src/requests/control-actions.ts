import { defined, type JsonValue } from '@reins/contracts';
import { wholeNumber } from '../arguments.ts';
import type { TaskDetail } from '../client/api-types.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { table } from '../output/table.ts';

const clientOf = (context: CliContext): GatewayClient => new GatewayClient(gatewayAddress(context));

interface Sent {
  readonly status: string;
  /** Why the run does not use the command, or not yet. */
  readonly message?: string;
}

/** The command has no effect: the request does not wait for the effect, or it is not paused. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['not_pending', 'not_paused']);

/**
 * Posts a command to a request. Returns 1 if it has no effect.
 * @param path relative to the URL of the request
 */
async function send(context: CliContext, id: string, path: string, body: object): Promise<ExitCode> {
  const sent = await clientOf(context).post<Sent>(`/requests/${encodeURIComponent(id)}/${path}`, body, {
    'idempotency-key': crypto.randomUUID(),
  });
  if (context.json) printJson(context, sent);
  else context.note(`${id}: ${sent.status}${sent.message === undefined ? '' : `: ${sent.message}`}`);
  if (sent.status === 'queued' && !context.json)
    context.note(`  List its kept signals with \`reins requests show ${id}\`.`);
  return WITHOUT_EFFECT.has(sent.status) ? EXIT.failed : EXIT.ok;
}

/** The person at the command line, for the record of a decision or a command. */
export function person({ env, account }: CliContext, field: 'answeredBy' | 'decidedBy' | 'requestedBy') {
  const name = env.USER || env.LOGNAME || account;
  return name ? { [field]: name } : {};
}

/** Pauses, resumes, halts or unparks a request. */
export function control(
  context: CliContext,
  id: string,
  action: 'pause' | 'resume' | 'halt' | 'unpark',
  reason: string | undefined,
): Promise<ExitCode> {
  return send(context, id, action, { ...defined({ reason }), ...person(context, 'requestedBy') });
}

export async function tasks(context: CliContext, id: string): Promise<ExitCode> {
  const { tasks: found } = await clientOf(context).get<{ tasks: readonly TaskDetail[] }>(
    `/requests/${encodeURIComponent(id)}/tasks`,
  );
  const cells = found.map((task) => [task.effectId, task.kind, task.label ?? task.taskId, titleOf(task), task.status]);
  if (context.json) printJson(context, found);
  else context.out(`${table(['effectId', 'kind', 'label', 'title', 'status'], cells)}\n`);
  return EXIT.ok;
}

/** The title of a task, if its label does not say it. */
function titleOf({ definition, label, taskId }: TaskDetail): string {
  const title = definition?.title;
  return typeof title === 'string' && title !== (label ?? taskId) ? title : '';
}

/** Answers a question, a breakpoint or a task. @param question its number; default: the question that is open now */
export function answer(
  context: CliContext,
  id: string,
  effectId: string,
  value: string,
  question: string | undefined,
): Promise<ExitCode> {
  const asked = question === undefined ? {} : { questionNumber: wholeNumber(question, '--question') };
  const given = { effectId, answer: jsonOrText(context, value), ...asked };
  return send(context, id, 'answers', { ...given, ...person(context, 'answeredBy') });
}

/** Reports a task as failed. */
export function fail(context: CliContext, id: string, effectId: string, message: string): Promise<ExitCode> {
  const error = { code: 'task_failed', message };
  return send(context, id, `tasks/${effectId}/answer`, { error, ...person(context, 'answeredBy') });
}

export function signal(context: CliContext, id: string, name: string, payload: string | undefined): Promise<ExitCode> {
  return send(context, id, 'signals', {
    name,
    ...(payload !== undefined && { payload: jsonOrText(context, payload) }),
  });
}

/** Invalidates an effect: it and everything after it is requested again. */
export function invalidate(
  context: CliContext,
  id: string,
  effectId: string,
  reason: string | undefined,
): Promise<ExitCode> {
  const details = { ...defined({ reason }), ...person(context, 'requestedBy') };
  return send(context, id, `effects/${effectId}/invalidate`, details);
}

export function decide(
  context: CliContext,
  id: string,
  approvalId: string,
  decision: 'approved' | 'denied',
  comment: string | undefined,
): Promise<ExitCode> {
  const decided = { decision, ...defined({ comment }), ...person(context, 'decidedBy') };
  return send(context, id, `approvals/${approvalId}`, decided);
}

/** Parses JSON; any other text is the value itself. A text that looks like JSON is probably a mistake. */
function jsonOrText({ note }: CliContext, text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (/^\s*[[{]/.test(text))
      note(`warning: ${text} is not JSON, so it is sent as text (${error instanceof Error ? error.message : ''})`);
    return text;
  }
}
