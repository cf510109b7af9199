import { type ErrorInfo, isObject, type JsonValue, waitCommands } from '@reins/contracts';
import type { RequestDetail } from '../client/api-types.ts';
import type { GatewayClient } from '../client/gateway-client.ts';
import { listedEvents } from '../client/listed-events.ts';

/** What a request waits for. */
export interface Waiting {
  readonly reason: string;
  /** The effect that waits; the id of the request when the run itself waits. */
  readonly effectId: string;
  readonly expiresAt?: string;
  /** The question to a person. */
  readonly question?: JsonValue;
  /** The number of the question of a stage. */
  readonly questionNumber?: number;
  /** What it waits for, in words: the error of the process, the reason of a pause, the signal. */
  readonly message?: string;
  /** The name of the signal. */
  readonly signal?: string;
  /** The error of the process. */
  readonly error?: ErrorInfo;
}

/** What a request waits for; undefined when it does not wait. */
export async function waitingOf(client: GatewayClient, request: RequestDetail): Promise<Waiting | undefined> {
  const { requestId, waiting, approvals = [] } = request;
  if (!waiting) return undefined;
  const subject = approvals.find(({ approvalId }) => approvalId === waiting.effectId)?.subject;
  const question = waiting.question ?? subject?.detail?.payload ?? subject?.label;
  const message =
    waiting.message ?? (waiting.reason === 'operator' ? await operatorMessage(client, requestId) : undefined);
  return { ...waiting, ...(question !== undefined && { question }), ...(message !== undefined && { message }) };
}

/** The reason text in the `wait` directive of the same journal entry. The fact itself has only the reason code. */
async function operatorMessage(client: GatewayClient, requestId: string): Promise<string | undefined> {
  const entries = new Set<number | undefined>();
  let message: string | undefined;
  for await (const { type, version, body } of listedEvents(client, requestId)) {
    if (version === undefined) continue;
    if (type === 'runtime.request.waiting' && body.reason === 'operator') entries.add(version);
    if (type === 'control.directive.emitted' && body.directive === 'wait' && entries.has(version))
      message = typeof body.reason === 'string' ? body.reason : undefined;
  }
  return message;
}

/** Formats what a request waits for: one line, and the commands that end the wait. */
export function waitingText(requestId: string, waiting: Waiting): string {
  const { reason, effectId, expiresAt, question, message } = waiting;
  const what = waiting.signal === undefined ? reason : `${reason} ${waiting.signal}`;
  const effect = effectId === requestId ? '' : ` (${effectId})`;
  const until = expiresAt === undefined ? '' : ` until ${expiresAt}`;
  const detail = DESCRIBED.has(reason) ? '' : (message ?? (question === undefined ? '' : textOf(question)));
  const frames = waiting.error?.stack?.split('\n').map((frame) => `    at ${frame}`) ?? [];
  const line = `waiting for ${what}${effect}${until}${detail ? `: ${detail}` : ''}`;
  return [line, ...frames, ...waitCommands({ requestId, ...waiting }).map((command) => `  ${command}`)].join('\n');
}

/** The line itself names the signal and the time. */
const DESCRIBED: ReadonlySet<string> = new Set(['signal', 'timer']);

/** The text of a question, which may be any JSON. */
function textOf(question: JsonValue): string {
  const text = isObject(question) ? (question.question ?? question.text) : question;
  return typeof text === 'string' ? text : JSON.stringify(question);
}
