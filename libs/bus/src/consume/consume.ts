import { ReinsError } from '@reins/contracts';
import { API, isApiError } from '../connection/api-errors.ts';
import type { Bus } from '../connection/bus.ts';
import { Consumption } from './consumption.ts';
import type { ConsumeOptions } from './options.ts';

/**
 * Starts to receive the messages of a durable consumer and passes them to the handler.
 * @throws ReinsError `bus_topology_mismatch` when the stream or the consumer does not exist
 */
export async function consume(bus: Bus, options: ConsumeOptions): Promise<Consumption> {
  try {
    const { config } = await bus.jsm.consumers.info(options.stream, options.durable);
    return new Consumption(bus, options, (config.ack_wait ?? DEFAULT_ACK_WAIT_NS) / 1e6);
  } catch (error) {
    if (!isApiError(error, API.consumerNotFound, API.streamNotFound)) throw error;
    throw new ReinsError(
      {
        code: 'bus_topology_mismatch',
        message: `the consumer ${options.durable} of ${options.stream} does not exist`,
        hint: 'Provision the topology first.',
      },
      { cause: error },
    );
  }
}

const DEFAULT_ACK_WAIT_NS = 30e9;
