import { setTimeout as pause } from 'node:timers/promises';
import { isReinsError, type JsonObject, ReinsError } from '@reins/contracts';
import type { GatewayClient } from '../client/gateway-client.ts';

/** The events that end a request. Only the last directive follows them. */
export const TERMINAL: ReadonlySet<string> = new Set([
  'runtime.request.completed',
  'runtime.request.failed',
  'runtime.request.cancelled',
]);

export interface FollowOptions {
  /** Maximum number of consecutive streams without a new event. */
  readonly tries?: number;
  readonly pauseMs?: number;
  /** Only events after this sequence. */
  readonly afterSeq?: number;
  /** The run is known from its parent only: the gateway may not have seen its first event yet. */
  readonly isNew?: boolean;
}

/** An event, and when it was published. A delta has the time of its arrival. */
export interface FollowedEvent {
  readonly body: JsonObject;
  readonly at: Date;
}

/**
 * Yields every event of a request until the gateway ends the stream of an ended request. Reconnects after an
 * interruption and resumes after the last event.
 * @throws ReinsError of the gateway when it refuses the call; `service_unavailable` when too many streams brought no event
 */
export async function* follow(
  client: GatewayClient,
  requestId: string,
  signal: AbortSignal,
  { tries = 20, pauseMs = 500, afterSeq, isNew = false }: FollowOptions = {},
): AsyncGenerator<FollowedEvent> {
  let after = afterSeq === undefined ? undefined : String(afterSeq);
  let cause: unknown;
  let ended = false;
  for (let left = tries; left > 0 && !signal.aborted; left -= 1) {
    cause = undefined;
    try {
      for await (const { id, data, time } of client.events(
        `/requests/${encodeURIComponent(requestId)}/events`,
        after,
        signal,
      )) {
        if (data === '') continue;
        after = id ?? after;
        left = tries;
        const body = JSON.parse(data) as JsonObject;
        yield { body, at: time === undefined ? new Date() : new Date(time) };
        ended ||= TERMINAL.has(String(body.type));
      }
    } catch (error) {
      // The log was rolled back or replaced: read the events of the request from the start.
      const startsAgain = after !== undefined && isReinsError(error) && error.code === 'events_gone';
      if (signal.aborted || !(startsAgain || isTransient(error, isNew))) throw error;
      if (startsAgain) after = undefined;
      cause = error;
    }
    // Only the last directive and narrations follow the terminal fact: they may be missed.
    if (ended) return;
    await pause(pauseMs);
  }
  if (!signal.aborted) throw cause ?? neverEnded(requestId, tries);
}

const isTransient = (error: unknown, isNew: boolean): boolean =>
  isReinsError(error) && (error.code === 'service_unavailable' || (isNew && error.code === 'request_not_found'));

const neverEnded = (requestId: string, tries: number): ReinsError =>
  new ReinsError({
    code: 'service_unavailable',
    message: `the event stream of ${requestId} closed ${tries} times before the request ended`,
    hint: `Show its status with \`reins requests show ${requestId}\`.`,
  });
