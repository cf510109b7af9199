import { type AnyEvent, NO_REQUEST } from '@reins/contracts';
import type { LogItem } from './log-event.ts';

/** Keys of the requests and sessions whose rows a batch needs. */
export interface AffectedKeys {
  readonly requestIds: readonly string[];
  readonly sessions: readonly { readonly workspaceId: string; readonly sessionId: string }[];
}

export function affectedKeys(items: readonly LogItem[]): AffectedKeys {
  const requestIds = new Set<string>();
  const sessions = new Map<string, { workspaceId: string; sessionId: string }>();
  for (const item of items) {
    if (!('event' in item) || item.event.body.requestId === NO_REQUEST) continue;
    const { body } = item.event;
    const { workspaceId, sessionId } = body;
    for (const requestId of runsOf(body)) requestIds.add(requestId);
    sessions.set(`${workspaceId} ${sessionId}`, { workspaceId, sessionId });
  }
  return { requestIds: [...requestIds], sessions: [...sessions.values()] };
}

/** The runs whose rows an event may change. */
export const runsOf = (body: AnyEvent): readonly string[] =>
  body.type === 'runtime.child.started' ? [body.requestId, body.childRequestId] : [body.requestId];
