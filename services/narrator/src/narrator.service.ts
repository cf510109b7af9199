import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Blobs, type Bus, type BusMessage, causedBy, EventPublisher, inline, lastMessageOn } from '@reins/bus';
import {
  defined,
  type EventOf,
  eventFilter,
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
import type { Narration, NarrationProvider, SourceEvent } from './providers/provider.ts';

type NarrationConfig = PlanRuntime['narration'];

/** The run that an event belongs to. */
export interface EventRun {
  readonly workspaceId: string;
  readonly requestId: string;
}

/** Maximum number of runs whose configuration is cached. */
const CACHED_RUNS = 10_000;
/** Timeout of a provider for one event. */
const PROVIDER_TIMEOUT_MS = 15_000;
/** The narrator may not store blobs, so that its events must be small. */
const MAX_CHARS = 8_192;
const NARRATION = 'runtime.progress.narration';
const PLAN = 'runtime.plan.compiled';
/** Types that are never narrated: the start of a run, which has no progress yet, and narrations. */
const EXCLUDED_TYPES: ReadonlySet<string> = new Set(['runtime.request.started', 'runtime.plan.requested', NARRATION]);
/** Maximum number of plans whose configuration is cached. Requests of one revision share a plan. */
const CACHED_PLANS = 1_000;

/**
 * Publishes narrations for runs whose workspace enables them. It only reads events and publishes narrations; nothing
 * else depends on it.
 */
@Injectable()
export class NarratorService implements OnModuleInit {
  readonly #runs = new Memo<NarrationConfig>(CACHED_RUNS);
  readonly #plans = new Memo<NarrationConfig>(CACHED_PLANS);
  #providers: ReadonlyMap<string, NarrationProvider> = new Map();

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
    private readonly settings: Settings,
    private readonly blobs: Blobs,
    private readonly events: EventPublisher,
  ) {}

  async onModuleInit(): Promise<void> {
    this.#providers = await loadProviders(this.settings.narration.providers);
  }

  /** Returns the run of a message that may be narrated; undefined for other messages. */
  narratableRun(message: BusMessage): EventRun | undefined {
    if (this.settings.narration.runs === 'none') return undefined;
    if (EXCLUDED_TYPES.has(message.header(HEADERS.type) ?? '')) return undefined;
    const address = parseEventSubject(message.subject);
    if (!address || address.requestId === NO_REQUEST) return undefined;
    return { workspaceId: address.workspaceId, requestId: address.requestId };
  }

  /**
   * Narrates an event if its workspace enables narration. A provider that fails or exceeds its timeout is skipped.
   * @throws ReinsError of the bus
   */
  async take(message: BusMessage, run: EventRun): Promise<void> {
    const config = await this.#configOf(run, message);
    if (!config.enabled) return;
    const event = await this.#read(message);
    const narration = event && (await this.#narrate(event, config));
    if (!event || !narration) return;
    const { requestId, sessionId, agentId, workspaceId } = event.body;
    const body: EventOf<typeof NARRATION> = {
      type: NARRATION,
      requestId,
      sessionId,
      agentId,
      workspaceId,
      message: narration.message,
      provider: config.provider,
      sourceEventTypes: [event.type],
      sourceEventIds: [event.id],
      ...defined({ model: narration.model, style: config.style }),
    };
    await this.events.publish({
      id: `${event.id}.narration`,
      subject: eventSubject({ type: NARRATION, ...run }),
      body,
      ...causedBy(message),
    });
  }

  async #narrate(event: SourceEvent, { provider, style }: NarrationConfig) {
    const signal = AbortSignal.timeout(PROVIDER_TIMEOUT_MS);
    try {
      const narrator = this.#providers.get(provider);
      if (!narrator)
        throw new ReinsError({ code: 'settings_invalid', message: `unknown narration provider ${provider}` });
      const options = { signal, ...defined({ style }) };
      return short(await Promise.race([narrator.narrate(event, options), expired(signal)]));
    } catch (error) {
      this.log.warn({ err: error, provider, eventId: event.id }, 'narration failed');
      return undefined;
    }
  }

  /**
   * Reads the configuration of a run's workspace: from the plan of the run, or from the last plan of its workspace while
   * the run has none. Some events precede the plan, and some processes never compile one.
   */
  #configOf(run: EventRun, message: BusMessage): Promise<NarrationConfig> {
    const key = `${run.workspaceId}.${run.requestId}`;
    const isPlan = message.header(HEADERS.type) === PLAN;
    const config = isPlan
      ? this.#runs.set(key, this.#configIn(message))
      : this.#runs.get(key, async () => {
          const { workspaceId } = run;
          const own = await lastMessageOn(this.bus, 'EVENTS', eventSubject({ type: PLAN, ...run }));
          const plan = own ?? (await lastMessageOn(this.bus, 'EVENTS', eventFilter({ type: PLAN, workspaceId })));
          return plan ? this.#configIn(plan) : DISABLED;
        });
    return config.catch(this.#disabledUnlessRetryable).then((found) => this.#switched(found));
  }

  async #configIn({ data }: Pick<BusMessage, 'data'>): Promise<NarrationConfig> {
    const { planRef } = parseEvent(await inline(this.blobs, data)) as EventOf<typeof PLAN>;
    return this.#plans.get(planRef.sha256, () => this.#configOfPlan(planRef.sha256));
  }

  /** The installation may narrate every run. */
  #switched(config: NarrationConfig): NarrationConfig {
    return this.settings.narration.runs === 'all' ? { ...config, enabled: true } : config;
  }

  /** An invalid plan disables narration for its run, so that it does not block other events. */
  #disabledUnlessRetryable = (error: unknown): NarrationConfig => {
    if (isRetryableError(error)) throw error;
    this.log.warn({ err: error }, 'plan cannot be read; the run is not narrated');
    return DISABLED;
  };

  async #configOfPlan(planRef: string): Promise<NarrationConfig> {
    const record: unknown = parseJson(await this.blobs.get(planRef));
    return extensionsOf((record as { readonly plan: CompiledWorkspaceRuntimePlan }).plan).runtime.narration;
  }

  async #read(message: BusMessage): Promise<SourceEvent | undefined> {
    const { id, type, time } = message.event;
    try {
      return { id, type, time, body: parseEvent(await inline(this.blobs, message.data)) };
    } catch (error) {
      if (isRetryableError(error)) throw error;
      return undefined; // the projector reports invalid events
    }
  }
}

const isRetryableError = (error: unknown): boolean => isReinsError(error) && isRetryable(error.code);

/** @throws ReinsError `message_invalid` when the message of a provider is too long */
function short(narration: Narration | undefined): Narration | undefined {
  const { length } = narration?.message ?? '';
  if (length <= MAX_CHARS) return narration;
  throw new ReinsError({
    code: 'message_invalid',
    message: `the message has ${length} characters, more than ${MAX_CHARS}`,
  });
}

const DISABLED: NarrationConfig = { enabled: false, provider: 'template' };

function expired(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
