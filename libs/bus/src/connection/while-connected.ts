import { JetStreamApiError } from '@nats-io/jetstream';
import { isReinsError, ReinsError } from '@reins/contracts';
import type { Bus } from './bus.ts';

/**
 * The outcome of a request, or an error as soon as the link is lost. A request that was sent into a lost link is never
 * answered; without this, whoever asked would learn that only when its time is up, long after the link is back.
 * @throws ReinsError `bus_unavailable`: what became of the request is not known; JetStreamApiError: the server said no
 */
export async function whileConnected<T>(bus: Bus, request: () => Promise<T>): Promise<T> {
  if (bus.state !== 'connected') throw linkLost(bus);
  const { promise: lost, reject } = Promise.withResolvers<never>();
  const unwatch = bus.onState(() => reject(linkLost(bus)));
  try {
    return await Promise.race([request(), lost]);
  } catch (error) {
    throw asUnavailable(error);
  } finally {
    unwatch();
  }
}

const NO_LEADER = 503;

/**
 * Errors of the client that say nothing but that there was no answer (a timeout, nobody listening, a closed connection)
 * become `bus_unavailable`, so that whoever tries again knows that it was not the message's fault. Others stay as they
 * are.
 */
export function asUnavailable(error: unknown): unknown {
  if (isReinsError(error) || (error instanceof JetStreamApiError && error.status !== NO_LEADER)) return error;
  const message = `NATS does not answer: ${error instanceof Error ? error.message : String(error)}`;
  return new ReinsError({ code: 'bus_unavailable', message }, { cause: error });
}

const linkLost = (bus: Bus): ReinsError =>
  new ReinsError({ code: 'bus_unavailable', message: `the link to NATS is ${bus.state}` });
