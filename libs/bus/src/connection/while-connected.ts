import { JetStreamApiError } from '@nats-io/jetstream';
import { InvalidArgumentError, InvalidSubjectError } from '@nats-io/nats-core';
import { isReinsError, type Problem, ReinsError } from '@reins/contracts';
import type { Bus } from './bus.ts';

/**
 * The outcome of a request, or an error as soon as the link is lost. A request that was sent into a lost link is never
 * answered; without this, whoever asked would learn that only when its time is up, long after the link is back.
 * @throws ReinsError `bus_unavailable`: what became of the request is not known; `bus_message_too_large`,
 * `bus_request_invalid`: it was never sent; JetStreamApiError: the server said no
 */
export async function whileConnected<T>(bus: Bus, request: () => Promise<T>): Promise<T> {
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
/** What the client says of a request that it does not send. */
const REFUSALS = [InvalidArgumentError, InvalidSubjectError];
const TOO_LARGE = /max_payload/;

/**
 * Errors of the client that say nothing but that there was no answer (a timeout, nobody listening, a closed connection)
 * become `bus_unavailable`, so that whoever tries again knows that it was not the message's fault. Where it is the
 * message's fault, the code says that no other try ends otherwise. What the server said stays as it is.
 */
function asReinsError(error: unknown): unknown {
  if (isReinsError(error) || (error instanceof JetStreamApiError && error.status !== NO_LEADER)) return error;
  return new ReinsError(problemOfClient(error), { cause: error });
}

function problemOfClient(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error);
  if (!REFUSALS.some((refusal) => error instanceof refusal))
    return { code: 'bus_unavailable', message: `NATS does not answer: ${message}` };
  if (TOO_LARGE.test(message))
    return { code: 'bus_message_too_large', message, hint: 'put large bodies into the blob store' };
  return { code: 'bus_request_invalid', message };
}

const linkLost = (bus: Bus): ReinsError =>
  new ReinsError({ code: 'bus_unavailable', message: `the link to NATS is ${bus.state}` });
