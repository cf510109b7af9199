import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Blobs, type Bus, type BusMessage, inline, lastMessageOn, OrderedPublisher } from '@reins/bus';
import {
  type EventOf,
  eventSubject,
  HEADERS,
  isReinsError,
  isRetryable,
  NO_REQUEST,
  parseEvent,
  parseEventSubject,
  parseJson,
  ReinsError,
} from '@reins/contracts';
import { BUS, LOG, type Logger, Memo, Settings } from '@reins/service-kit';
import { type CompiledWorkspaceRuntimePlan, extensionsOf, type PlanRuntime } from '@reins/workspace-plan';
import { loadProviders } from './providers/load-providers.ts';
import type { NarrationProvider, SourceEvent } from './providers/provider.ts';

type Narrating = PlanRuntime['narration'];

/** The run that an event is of. */
export interface RunOfEvent {
  readonly workspaceId: string;
  readonly requestId: string;
}

/** Runs whose wish is remembered. */
const REMEMBERED_RUNS = 10_000;
/** How long a provider may think about one event. */
const THINK_MS = 15_000;
const SOURCE = 'reins/narrator';
const NARRATION = 'runtime.progress.narration';
const PLAN = 'runtime.plan.compiled';
/** What comes before the plan, which says whether a run is narrated, and narrations themselves. */
const NEVER: ReadonlySet<string> = new Set(['runtime.request.started', 'runtime.plan.requested', NARRATION]);
/** Plans whose wish is remembered: requests of one revision share one. */
const REMEMBERED_PLANS = 1_000;

/** Says what happens in the runs whose workspace wants it. Reads events and writes narrations; nothing else depends on it. */
@Injectable()
export class NarratorService implements OnModuleInit, OnModuleDestroy {
  readonly #runs = new Memo<Narrating>(REMEMBERED_RUNS);
  readonly #plans = new Memo<Narrating>(REMEMBERED_PLANS);
  #providers: ReadonlyMap<string, NarrationProvider> = new Map();
  #publisher!: OrderedPublisher;
  #blobs!: Blobs;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
    @Inject(Settings) private readonly settings: Settings,
  ) {}

  async onModuleInit(): Promise<void> {
    this.#providers = await loadProviders(this.settings.narration.providers);
    this.#publisher = new OrderedPublisher(this.bus);
    this.#blobs = await Blobs.open(this.bus);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#publisher.close();
  }

  /** The run that a message may be narrated for; undefined for what never is. */
  runOf(message: BusMessage): RunOfEvent | undefined {
    if (NEVER.has(message.header(HEADERS.type) ?? '')) return undefined;
    const address = parseEventSubject(message.subject);
    if (!address || address.requestId === NO_REQUEST) return undefined;
    return { workspaceId: address.workspaceId, requestId: address.requestId };
  }

  /**
   * Narrates an event, if its workspace wants that. A provider that fails or takes too long says nothing.
   * @throws ReinsError of the bus
   */
  async take(message: BusMessage, run: RunOfEvent): Promise<void> {
    const narrating = await this.#narratingOf(run, message);
    if (!narrating.enabled) return;
    const event = await this.#read(message);
    const narration = event && (await this.#ask(event, narrating));
    if (!event || !narration) return;
    const { requestId, sessionId, agentId, workspaceId } = event.body;
    const body: EventOf<typeof NARRATION> = {
      type: NARRATION,
      requestId,
      sessionId,
      agentId,
      workspaceId,
      message: narration.message,
      provider: narrating.provider,
      sourceEventTypes: [event.type],
      sourceEventIds: [event.id],
      ...(narration.model !== undefined && { model: narration.model }),
      ...(narrating.style !== undefined && { style: narrating.style }),
    };
    const headers = { id: `${event.id}.narration`, type: NARRATION, source: SOURCE, causation: event.id };
    await this.#publisher.publishAll([
      {
        subject: eventSubject({ type: NARRATION, ...run }),
        data: new TextEncoder().encode(JSON.stringify(body)),
        headers: { ...headers, time: new Date().toISOString() },
      },
    ]);
  }

  async #ask(event: SourceEvent, { provider, style }: Narrating) {
    const signal = AbortSignal.timeout(THINK_MS);
    try {
      const asked = this.#providers.get(provider);
      if (!asked)
        throw new ReinsError({ code: 'settings_invalid', message: `no narration provider ${provider} is here` });
      const options = { signal, ...(style !== undefined && { style }) };
      return await Promise.race([asked.narrate(event, options), expired(signal)]);
    } catch (error) {
      this.log.warn({ err: error, provider, eventId: event.id }, 'an event was not narrated');
      return undefined;
    }
  }

  /** What the run's workspace says; a run whose plan the log does not have is not narrated. */
  #narratingOf(run: RunOfEvent, message: BusMessage): Promise<Narrating> {
    return this.#runs
      .get(`${run.workspaceId}.${run.requestId}`, async () => {
        const told = message.header(HEADERS.type) === PLAN;
        const plan = told ? message : await lastMessageOn(this.bus, 'EVENTS', eventSubject({ type: PLAN, ...run }));
        if (!plan) return SILENT;
        const { planRef } = parseEvent(await inline(this.#blobs, plan.data)) as EventOf<typeof PLAN>;
        return this.#plans.get(planRef.sha256, () => this.#wishOf(planRef.sha256));
      })
      .catch(this.#unlessAway);
  }

  /** Garbage in the log is nobody's wish; it must not hold up what comes behind it. */
  #unlessAway = (error: unknown): Narrating => {
    if (isAway(error)) throw error;
    this.log.warn({ err: error }, 'what a run wants cannot be read; it is not narrated');
    return SILENT;
  };

  async #wishOf(planRef: string): Promise<Narrating> {
    const record: unknown = parseJson(await this.#blobs.get(planRef));
    return extensionsOf((record as { readonly plan: CompiledWorkspaceRuntimePlan }).plan).runtime.narration;
  }

  async #read(message: BusMessage): Promise<SourceEvent | undefined> {
    const { id, type, time } = message.event;
    try {
      return { id, type, time, body: parseEvent(await inline(this.#blobs, message.data)) };
    } catch (error) {
      if (isAway(error)) throw error;
      return undefined; // what is no event is the projector's to report
    }
  }
}

const isAway = (error: unknown): boolean => isReinsError(error) && isRetryable(error.code);

const SILENT: Narrating = { enabled: false, provider: 'template' };

function expired(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
