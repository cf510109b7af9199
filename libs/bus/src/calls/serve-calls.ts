import type { Msg, Subscription } from '@nats-io/nats-core';
import { isReinsError, type Problem, problemOf } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { parseBody } from '../consume/message.ts';

/** Handles one call: takes its body and returns the result. */
export type CallHandler = (body: unknown) => Promise<unknown>;

/** The response to a call. */
export type CallResponse = { readonly result: unknown } | { readonly errors: readonly Problem[] };

export interface ServeOptions {
  /** The calls have the subjects `<prefix>.<name>`. */
  readonly prefix: string;
  readonly handlers: Readonly<Record<string, CallHandler>>;
}

/** The calls that a service responds to. */
export interface ServedCalls {
  /** Takes no more calls, and resolves when those that were taken have their responses. */
  stop(): Promise<void>;
}

/**
 * Responds to calls: requests that no stream stores. The instances of a service share them. An error of a handler is the
 * response.
 */
export function serveCalls(bus: Bus, { prefix, handlers }: ServeOptions): ServedCalls {
  const open = new Set<Promise<void>>();
  const take = (message: Msg, handler: CallHandler): void => {
    const done = respond(bus, message, handler).finally(() => open.delete(done));
    open.add(done);
  };
  const subscriptions = Object.entries(handlers).map(([name, handler]): Subscription => {
    const callback = (error: Error | null, message: Msg): void => {
      if (error) bus.log.warn({ error: error.message, prefix, name }, 'subscription to calls failed');
      else take(message, handler);
    };
    return bus.nc.subscribe(`${prefix}.${name}`, { queue: prefix, callback });
  });
  return {
    stop: async () => {
      await Promise.all(subscriptions.map((subscription) => subscription.drain()));
      await Promise.all(open);
    },
  };
}

async function respond(bus: Bus, message: Msg, handler: CallHandler): Promise<void> {
  try {
    message.respond(encoded(await responseOf(bus, message, handler)));
  } catch (error) {
    bus.log.warn({ error: String(error), subject: message.subject }, 'response could not be sent');
  }
}

async function responseOf(bus: Bus, { data, subject }: Msg, handler: CallHandler): Promise<CallResponse> {
  try {
    return { result: await handler(parseBody(data, subject)) };
  } catch (error) {
    if (!isReinsError(error)) bus.log.error({ error: String(error), subject }, 'call failed');
    return { errors: isReinsError(error) ? error.problems : [problemOf(error)] };
  }
}

const encoder = new TextEncoder();
const encoded = (response: CallResponse): Uint8Array => encoder.encode(JSON.stringify(response));
