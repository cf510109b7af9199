import { defined, type ErrorInfo, type JsonValue } from '@reins/contracts';
import type { RequestDetail, WaitDetail } from '../client/api-types.ts';
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
  /** The label that the process gave to the wait. */
  readonly label?: string;
  /** The process that failed. */
  readonly process?: string;
  /** The error of the process. */
  readonly error?: ErrorInfo;
  /** Who paused the request. */
  readonly pausedBy?: string;
}

/** What a request waits for; undefined when it does not wait. */
export async function waitingOf(client: GatewayClient, request: RequestDetail): Promise<Waiting | undefined> {
  const { requestId, waiting, approvals = [] } = request;
  if (!waiting) return undefined;
  const subject = approvals.find(({ approvalId }) => approvalId === waiting.effectId)?.subject;
  const question = waiting.question ?? subject?.detail?.payload ?? subject?.label;
  const message =
    waiting.message ?? (waiting.reason === 'operator' ? await operatorMessage(client, requestId) : undefined);
  return { ...waiting, ...defined({ question, message }) };
}

/** Everything that a request and its child runs wait for. */
export function waitsOf({ requestId, waits = [] }: RequestDetail, waiting: Waiting | undefined): readonly WaitDetail[] {
  const isOwn = (wait: WaitDetail): boolean => wait.requestId === requestId && wait.effectId === waiting?.effectId;
  if (!waiting || waits.some(isOwn)) return waits;
  return [{ requestId, ...waiting }, ...waits];
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
