import { isObject, type JsonValue } from '@reins/contracts';
import type { RequestDetail } from '../client/api-types.ts';
import type { GatewayClient } from '../client/gateway-client.ts';
import { listedEvents } from '../client/listed-events.ts';

/** What a request waits for. */
export interface Waiting {
  readonly reason: string;
  /** The effect; the request itself where it is the run that waits. */
  readonly effectId: string;
  readonly expiresAt?: string;
  /** What somebody is asked. */
  readonly question?: JsonValue;
  /** Of a wait for an operator: the error of its process, or why somebody holds it. */
  readonly message?: string;
}

/** What a request waits for, as far as the API tells it; undefined while it does not wait. */
export async function waitingOf(client: GatewayClient, request: RequestDetail): Promise<Waiting | undefined> {
  const { requestId, waiting, approvals = [] } = request;
  if (!waiting) return undefined;
  const subject = approvals.find(({ approvalId }) => approvalId === waiting.effectId)?.subject;
  const question = waiting.question ?? subject?.detail?.payload ?? subject?.label;
  const message = waiting.reason === 'operator' ? await toOperator(client, requestId) : undefined;
  return { ...waiting, ...(question !== undefined && { question }), ...(message !== undefined && { message }) };
}

/** The directive of the same journal entry says it; the fact itself has the reason alone. */
async function toOperator(client: GatewayClient, requestId: string): Promise<string | undefined> {
  const entries = new Set<number | undefined>();
  let said: string | undefined;
  for await (const { type, version, body } of listedEvents(client, requestId)) {
    if (version === undefined) continue;
    if (type === 'runtime.request.waiting' && body.reason === 'operator') entries.add(version);
    if (type === 'control.directive.emitted' && body.directive === 'wait' && entries.has(version))
      said = typeof body.reason === 'string' ? body.reason : undefined;
  }
  return said;
}

/** It, in one line for people. */
export function waitingLine(requestId: string, { reason, effectId, expiresAt, question, message }: Waiting): string {
  const effect = effectId === requestId ? '' : ` (${effectId})`;
  const until = expiresAt === undefined ? '' : ` until ${expiresAt}`;
  const said = message ?? (question === undefined ? '' : textOf(question));
  return `waiting for ${reason}${effect}${until}${said ? `: ${said}` : ''}`;
}

/** Questions are texts by convention alone. */
function textOf(question: JsonValue): string {
  const text = isObject(question) ? (question.question ?? question.text) : question;
  return typeof text === 'string' ? text : JSON.stringify(question);
}
