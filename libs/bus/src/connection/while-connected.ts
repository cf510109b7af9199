import { JetStreamApiError } from '@nats-io/jetstream';
import { InvalidArgumentError, InvalidSubjectError } from '@nats-io/nats-core';
import { isReinsError, type Problem, ReinsError } from '@reins/contracts';
import type { ConnectionState } from './link-state.ts';

/**
 * Runs a request and rejects as soon as the connection is lost. A request sent over a lost connection is never
 * answered; without this, the caller would wait for the full timeout, long after the reconnect.
 * @throws ReinsError `bus_unavailable`: the outcome is unknown; `bus_message_too_large`, `bus_request_invalid`: the
 * request was not sent. JetStreamApiError: the server rejected the request
 */
export async function whileConnected<T>(bus: ConnectionState, request: () => Promise<T>): Promise<T> {
  if (bus.state !== 'connected') throw linkLost(bus);
  const { promise: lost, reject } = Promise.withResolvers<never>();
  const unwatch = bus.onState(() => reject(linkLost(bus)));
  try {
    return await Promise.race([request(), lost]);
  } catch (error) {
    throw asReinsError(error);
  } finally {
    unwatch();
  }
}

const NO_LEADER = 503;
/** Errors of the client for a request that it does not send. */
const CLIENT_REJECTIONS = [InvalidArgumentError, InvalidSubjectError];
const TOO_LARGE = /max_payload/;

/**
 * Maps client errors that only mean "no reply" (timeout, no responders, closed connection) to `bus_unavailable`, which
 * callers may retry. Errors caused by the message itself get a code that is not retryable. Server errors are returned
 * unchanged.
 */
function asReinsError(error: unknown): unknown {
  if (isReinsError(error) || (error instanceof JetStreamApiError && error.status !== NO_LEADER)) return error;
  return new ReinsError(problemOfClient(error), { cause: error });
}

function problemOfClient(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error);
  if (!CLIENT_REJECTIONS.some((rejection) => error instanceof rejection))
    return { code: 'bus_unavailable', message: `NATS did not respond: ${message}` };
  if (TOO_LARGE.test(message))
    return { code: 'bus_message_too_large', message, hint: 'Store large bodies in the blob store.' };
  return { code: 'bus_request_invalid', message };
}

const linkLost = (bus: ConnectionState): ReinsError =>
  new ReinsError({ code: 'bus_unavailable', message: `the connection to NATS is ${bus.state}` });
