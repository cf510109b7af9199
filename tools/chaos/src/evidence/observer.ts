import {
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { DurableState } from './evidence.ts';

/** A plain NATS client: what Reins publishes and stores is looked at without any code of Reins. */
export class Observer {
  readonly #connection: NatsConnection;
  readonly #js: JetStreamClient;
  readonly #jsm: JetStreamManager;

  private constructor(connection: NatsConnection, js: JetStreamClient, jsm: JetStreamManager) {
    this.#connection = connection;
    this.#js = js;
    this.#jsm = jsm;
  }

  static async connect(natsUrl: string): Promise<Observer> {
    const connection = await connect({ servers: natsUrl.split(','), name: 'chaos-observer', maxReconnectAttempts: -1 });
    return new Observer(connection, jetstream(connection), await jetstreamManager(connection));
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async lastSeq(stream: string): Promise<number> {
    return (await this.#jsm.streams.info(stream)).state.last_seq;
  }

  /** The subjects of a stream that a filter selects, with how many messages each has. */
  async subjects(stream: string, filter: string): Promise<ReadonlyMap<string, number>> {
    const { state } = await this.#jsm.streams.info(stream, { subjects_filter: filter });
    return new Map(Object.entries(state.subjects ?? {}));
  }

  /** Every message that the stream has now, in its order. */
  async *messages(stream: string): AsyncGenerator<JsMsg> {
    const { state } = await this.#jsm.streams.info(stream);
    if (state.messages === 0) return;
    const consumer = await this.#js.consumers.get(stream);
    const messages = await consumer.consume();
    for await (const message of messages) {
      yield message;
      if (message.seq >= state.last_seq || message.info.pending === 0) break;
    }
  }

  async durables(stream: string): Promise<DurableState[]> {
    const states: DurableState[] = [];
    for await (const { config, num_pending, num_ack_pending } of this.#jsm.consumers.list(stream)) {
      const durable = config.durable_name;
      if (durable !== undefined)
        states.push({ stream, durable, pending: num_pending, unacknowledged: num_ack_pending });
    }
    return states;
  }
}
