import { API, isApiError } from '../connection/api-errors.ts';
import type { Bus } from '../connection/bus.ts';

/**
 * The stream sequence up to which a durable consumer has acknowledged every message.
 * @returns undefined when there is no such durable
 * @throws ReinsError `bus_unavailable`
 */
export async function ackFloorOf(bus: Bus, stream: string, durable: string): Promise<number | undefined> {
  try {
    return (await bus.jsm.consumers.info(stream, durable)).ack_floor.stream_seq;
  } catch (error) {
    if (isApiError(error, API.consumerNotFound)) return undefined;
    throw error;
  }
}
