import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type BusMessage, EventPublisher } from '@reins/bus';
import { defined, type ErrorInfo, type EventOf, isReinsError, type ReinsError } from '@reins/contracts';
import { type AnswerFields, sendAnswer } from '@reins/service-kit';
import { type RunActor, runNamespace } from '../model/policy.ts';
import { contextOf } from '../recall/context.ts';
import { recall } from '../recall/recall.ts';
import { whileAvailable } from '../store/availability.ts';
import { Projection } from '../store/projection.ts';
import { MemoryStore } from '../store/store.ts';

type RecallRequested = EventOf<'runtime.memory.recall.requested'>;

const DEFAULT_LIMIT = 8;
const DEFAULT_TOKENS = 300;
/** The clocks of the run's owner and of this service may differ by this much. */
const CLOCK_SKEW_MS = 60_000;

/** Recalls for runs. */
@Injectable()
export class Recalls {
  constructor(
    private readonly store: MemoryStore,
    private readonly projection: Projection,
    private readonly events: EventPublisher,
  ) {}

  /** Answers a request. A request that no run waits for any more, such as one from an outage, gets no answer. */
  async answer(event: RecallRequested, message: BusMessage): Promise<void> {
    const left = event.deadline === undefined ? 0 : Date.parse(event.deadline) - Date.now();
    if (event.deadline !== undefined && left < -CLOCK_SKEW_MS) return;
    const request = { ...event, attempt: event.attempt ?? 1 };
    await this.#tablesRead(left);
    try {
      const recalled = await this.#recall(event);
      await sendAnswer(this.events, message, request, 'runtime.memory.recall.completed', recalled);
    } catch (error) {
      if (!isReinsError(error) || error.code.startsWith('bus_')) throw error;
      await sendAnswer(this.events, message, request, 'runtime.memory.recall.failed', { error: errorOf(error) });
    }
  }

  /** A service that has just started reads its tables first. */
  async #tablesRead(waitMs: number): Promise<void> {
    const timeout = new AbortController();
    const late = sleep(Math.max(0, waitMs), undefined, { signal: timeout.signal }).catch(() => {});
    await Promise.race([this.projection.started, late]);
    timeout.abort();
  }

  async #recall(event: RecallRequested): Promise<AnswerFields<'runtime.memory.recall.completed'>> {
    const { query, limit = DEFAULT_LIMIT, maxTokens = DEFAULT_TOKENS } = event;
    const namespace = runNamespace(actorOf(event), event.namespace);
    this.projection.checkAvailable();
    const call = { namespaces: [namespace.name], query, limit };
    const { recalled } = await whileAvailable(() => recall(this.store.db, call, new Date().toISOString()));
    const { context, recordIds, omitted } = contextOf(recalled, maxTokens);
    return { namespace: namespace.name, recordIds, context, ...(omitted > 0 && { omitted }) };
  }
}

const errorOf = ({ code, message, path, hint }: ReinsError): ErrorInfo => ({
  code,
  message,
  ...defined({ path, hint }),
});

/** The ids come from the journal of the run, which its process cannot change. */
export const actorOf = (event: Pick<RecallRequested, 'workspaceId' | 'sessionId' | 'agentId' | 'userId'>): RunActor => {
  const { workspaceId, sessionId, agentId, userId } = event;
  return { type: 'run', workspaceId, sessionId, agentId, ...(userId !== undefined && { userId }) };
};
