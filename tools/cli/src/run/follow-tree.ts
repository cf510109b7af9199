import { isObject, type JsonObject } from '@reins/contracts';
import type { GatewayClient } from '../client/gateway-client.ts';
import { type FollowedEvent, type FollowOptions, follow, TERMINAL } from './follow.ts';

/** Each followed run is a connection. Child runs beyond this number at a time are not followed. */
const MAX_CHILDREN = 8;

/** An event of a request, or of a run below it. */
export interface TreeEvent extends FollowedEvent {
  /** 0 for the request, 1 for its child runs. */
  readonly depth: number;
}

/**
 * Yields the events of a request, as `follow` does, and of its child runs. All events of a followed child run come
 * before the event that reports its end. Child runs of the source of a fork, and unreadable ones, are skipped.
 * @throws ReinsError as `follow` does for the request
 */
export async function* followTree(
  client: GatewayClient,
  requestId: string,
  options: FollowOptions = {},
): AsyncGenerator<TreeEvent> {
  const abort = new AbortController();
  const ready: TreeEvent[] = [];
  const children = new Map<string, Promise<void>>();
  let arrived = Promise.withResolvers<void>();
  let isDone = false;

  const read = async (runId: string, depth: number, parent?: string): Promise<void> => {
    const isNew = parent !== undefined;
    for await (const { body, at } of follow(client, runId, abort.signal, { ...options, isNew })) {
      if (isNew && isStartOfAnother(body, parent)) return;
      const child = String(body.childRequestId);
      if (/^runtime\.child\.(completed|failed)$/.test(String(body.type))) await children.get(child);
      ready.push({ body, at, depth });
      arrived.resolve();
      if (body.type === 'runtime.child.started' && children.size < MAX_CHILDREN && !children.has(child))
        children.set(child, readChild(child, depth + 1, runId));
      if (isNew && TERMINAL.has(String(body.type))) return;
    }
  };
  const readChild = (runId: string, depth: number, parent: string): Promise<void> =>
    read(runId, depth, parent)
      .catch(() => undefined)
      .finally(() => children.delete(runId));

  const whole = read(requestId, 0).finally(() => {
    isDone = true;
    arrived.resolve();
  });
  // Its error is thrown below, after the events that came before it.
  whole.catch(() => undefined);
  try {
    while (!isDone || ready.length > 0) {
      if (ready.length === 0) await arrived.promise;
      arrived = Promise.withResolvers<void>();
      yield* ready.splice(0);
    }
    await whole;
  } finally {
    abort.abort();
  }
}

/** Whether a child run was started by another request, of which the followed one is a fork. */
const isStartOfAnother = ({ type, parent }: JsonObject, requestId: string): boolean =>
  type === 'runtime.request.started' && isObject(parent) && parent.requestId !== requestId;
