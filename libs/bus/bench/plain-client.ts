import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';

/** The client of NATS as it comes, on a connection of its own: what the bus is measured beside. */
export interface PlainClient {
  readonly nc: NatsConnection;
  readonly js: JetStreamClient;
}

export async function plainClient(servers: string): Promise<PlainClient> {
  const nc = await connect({ servers, noAsyncTraces: true });
  return { nc, js: jetstream(nc) };
}
