import {
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { System } from '@reins/supervisor';
import { connectPlain } from '../system/connect.ts';
import type { DurableState } from './evidence.ts';

/** A server that has just restarted under load answers late. A missing answer would lose the result of hours. */
const TIMEOUT_MS = 60_000;

/** A plain NATS client, which reads what Reins has stored without Reins code. */
export class Observer {
  readonly #connection: NatsConnection;
  readonly #js: JetStreamClient;
  readonly #jsm: JetStreamManager;

  private constructor(connection: NatsConnection, js: JetStreamClient, jsm: JetStreamManager) {
    this.#connection = connection;
    this.#js = js;
    this.#jsm = jsm;
  }

  static async connect(system: Pick<System, 'natsUrl' | 'natsOperator'>): Promise<Observer> {
    const connection = await connectPlain(system, 'chaos-observer');
    const options = { timeout: TIMEOUT_MS };
    return new Observer(connection, jetstream(connection, options), await jetstreamManager(connection, options));
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async lastSeq(stream: string): Promise<number> {
    return (await this.#jsm.streams.info(stream)).state.last_seq;
  }

  /** The subjects of a stream that match a filter, with their message counts. */
  async subjects(stream: string, filter: string): Promise<ReadonlyMap<string, number>> {
    const { state } = await this.#jsm.streams.info(stream, { subjects_filter: filter });
    return new Map(Object.entries(state.subjects ?? {}));
  }

  /** Every current message of the stream, in order. */
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
