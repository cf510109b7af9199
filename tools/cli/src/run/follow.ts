import { setTimeout as pause } from 'node:timers/promises';
import { isReinsError, type JsonObject, ReinsError } from '@reins/contracts';
import type { GatewayClient } from '../client/gateway-client.ts';

const TERMINAL: ReadonlySet<string> = new Set([
  'runtime.request.completed',
  'runtime.request.failed',
  'runtime.request.cancelled',
]);

export interface FollowOptions {
  /** How many streams in a row may bring nothing new. */
  readonly tries?: number;
  readonly pauseMs?: number;
}

/**
 * Every event of a request until its last one, over broken connections: a stream that breaks is taken up again behind its
 * last event.
 * @throws ReinsError what the gateway refuses, at once; `service_unavailable` when nothing new came for too long
 */
export async function* follow(
  client: GatewayClient,
  requestId: string,
  signal: AbortSignal,
  { tries = 20, pauseMs = 500 }: FollowOptions = {},
): AsyncGenerator<JsonObject> {
  let after: string | undefined;
  let cause: unknown;
  let ended = false;
  for (let left = tries; left > 0 && !signal.aborted; left -= 1) {
    cause = undefined;
    try {
      for await (const { id, data } of client.events(
        `/requests/${encodeURIComponent(requestId)}/events`,
        after,
        signal,
      )) {
        if (data === '') continue;
        after = id ?? after;
        left = tries;
        const body = JSON.parse(data) as JsonObject;
        yield body;
        if (ended && body.type === 'control.directive.emitted') return;
        ended ||= TERMINAL.has(String(body.type));
      }
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      cause = error;
    }
    // The last directive follows the terminal fact; what broke in between has nothing more to tell.
    if (ended) return;
    await pause(pauseMs);
  }
  if (!signal.aborted) throw cause ?? endlessly(requestId, tries);
}

const isPassing = (error: unknown): boolean => isReinsError(error) && error.code === 'service_unavailable';

const endlessly = (requestId: string, tries: number): ReinsError =>
  new ReinsError({
    code: 'service_unavailable',
    message: `the events of ${requestId} ended ${tries} times without the end of the request`,
    hint: `\`reins requests show ${requestId}\` says how it stands`,
  });
