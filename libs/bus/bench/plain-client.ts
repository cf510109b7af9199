import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';

/** The unmodified NATS client on its own connection: the baseline of the benchmarks. */
export interface PlainClient {
  readonly nc: NatsConnection;
  readonly js: JetStreamClient;
}

export async function plainClient(servers: string): Promise<PlainClient> {
  const nc = await connect({ servers, noAsyncTraces: true });
  return { nc, js: jetstream(nc) };
}
