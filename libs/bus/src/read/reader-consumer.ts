import { type ApiError, type ConsumerConfig, type ConsumerInfo, JetStreamApiError } from '@nats-io/jetstream';
import { nanos, nuid } from '@nats-io/nats-core';
import { ReinsError } from '@reins/contracts';
import { API, isApiError } from '../connection/api-errors.ts';
import type { Bus } from '../connection/bus.ts';

/** The server removes a consumer that got no request for this time. */
const INACTIVE_MS = 60_000;
const NO_RESPONDERS = 503;
const encoder = new TextEncoder();

/**
 * Creates an in-memory consumer for one reader, under a name that no consumer has.
 * @throws ReinsError `bus_unavailable`, also when all names are taken. JetStreamApiError: the server rejected the request
 */
export async function createReaderConsumer(
  bus: Bus,
  stream: string,
  filters: readonly string[],
  start: Partial<ConsumerConfig>,
): Promise<ConsumerInfo> {
  const names = bus.readerNames?.(stream) ?? [`reader-${nuid.next()}`];
  const first = Math.floor(Math.random() * names.length);
  for (const name of [...names.slice(first), ...names.slice(0, first)]) {
    const created = await create(bus, stream, { ...start, name, filter_subjects: [...filters] });
    if (created) return created;
  }
  throw new ReinsError({
    code: 'bus_unavailable',
    message: `all ${names.length} readers of ${stream} are in use`,
    path: bus.name,
  });
}

/**
 * Resolves to undefined when the name is taken. The client has no request for several filters with the name in its
 * subject, which permissions need.
 */
async function create(
  bus: Bus,
  stream: string,
  config: Partial<ConsumerConfig> & { readonly name: string },
): Promise<ConsumerInfo | undefined> {
  const request = {
    stream_name: stream,
    action: 'create',
    config: {
      ...config,
      ack_policy: 'none',
      mem_storage: true,
      num_replicas: 1,
      inactive_threshold: nanos(INACTIVE_MS),
      // Otherwise the server returns an existing consumer with an equal configuration, which another reader uses.
      metadata: { reader: nuid.next() },
    },
  };
  const subject = `${bus.apiPrefix}.CONSUMER.CREATE.${stream}.${config.name}`;
  const reply = await bus.request(subject, encoder.encode(JSON.stringify(request)));
  if (reply.headers?.code === NO_RESPONDERS)
    throw new ReinsError({ code: 'bus_unavailable', message: 'NATS did not respond: no responders', path: subject });
  const { error, ...info } = reply.json<ConsumerInfo & { readonly error?: ApiError }>();
  if (!error) return info;
  const refused = new JetStreamApiError(error);
  if (isApiError(refused, API.consumerNameExists, API.consumerExists)) return undefined;
  throw refused;
}
