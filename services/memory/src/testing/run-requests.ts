import { type Bus, OrderedPublisher } from '@reins/bus';
import { type AnyEvent, type JsonObject, parseEvent, replyTemplate } from '@reins/contracts';
import { until } from '@reins/testing';

/** The ids of a run, as its journal has them. */
export interface RunIds {
  readonly workspaceId?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly userId?: string;
  readonly requestId?: string;
}

/** Requests work of the memory service as the control bus does, and reads the answers. */
export class RunRequests {
  readonly #publisher: OrderedPublisher;
  readonly #answers: AnyEvent[] = [];
  #last = 0;

  constructor(bus: Bus) {
    this.#publisher = new OrderedPublisher(bus);
    bus.nc.subscribe('inbox.>', { callback: (_, message) => void this.#answers.push(parseEvent(message.data)) });
  }

  close(): Promise<void> {
    return this.#publisher.close();
  }

  /** The number of answers to this effect. */
  answersTo(effectId: string): number {
    return this.#answers.filter((answer) => 'effectId' in answer && answer.effectId === effectId).length;
  }

  /** Publishes a request, and returns the id of its effect. */
  async send(type: string, ids: RunIds, fields: JsonObject): Promise<string> {
    this.#last += 1;
    const effectId = `e${this.#last}`;
    const head = { requestId: 'r', sessionId: 's', agentId: 'main', workspaceId: 'ws', ...ids };
    const deadline = new Date(Date.now() + 60_000).toISOString();
    const body = { type, ...head, effectId, attempt: 1, deadline, ...fields };
    const reply = replyTemplate({ workspaceId: head.workspaceId, runId: head.requestId }, effectId);
    const headers = { id: effectId, type, source: 'test', time: new Date().toISOString(), reply };
    const data = new TextEncoder().encode(JSON.stringify(body));
    await this.#publisher.publishAll([{ subject: `${type}.${head.workspaceId}.${head.requestId}`, data, headers }]);
    return effectId;
  }

  /** Publishes a request, and returns its answer. */
  async ask(type: string, ids: RunIds, fields: JsonObject): Promise<AnyEvent & JsonObject> {
    const effectId = await this.send(type, ids, fields);
    const answer = await until(() => this.#answers.find((each) => 'effectId' in each && each.effectId === effectId));
    return answer as AnyEvent & JsonObject;
  }

  recall(ids: RunIds, namespace: string, query: string, more: JsonObject = {}): Promise<AnyEvent & JsonObject> {
    return this.ask('runtime.memory.recall.requested', ids, { namespace, query, ...more });
  }
}
