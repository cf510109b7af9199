import { Blobs, type Bus, EventPublisher, type OrderedPublisher, openBucket, type TypedBucket } from '@reins/bus';
import { defined, eventSubject, type HarnessOffer, type JsonObject, NO_REQUEST, OFFER_TTL_MS } from '@reins/contracts';
import type { HarnessAdapter, HarnessCapabilities, HarnessEnvironment, HarnessHealth } from '@reins/harness';
import { SERVED_TOOL_IDS } from '@reins/runtime-config';
import type { Redactor } from '../secrets/redactor.ts';
import type { SlotUsage } from '../slots/slots.ts';

export interface OffersOptions {
  readonly hostId: string;
  /** The load of a runtime, read for each renewal. */
  readonly usageOf: (runtimeId: string) => SlotUsage;
  /** What confines the executors of this host. */
  readonly sandbox: string;
  /** What they can connect to. */
  readonly network: string;
  readonly adapters: readonly HarnessAdapter[];
  readonly environmentOf: (runtimeId: string) => HarnessEnvironment;
  /** Redacts everything that is published. */
  readonly redactor: Redactor;
  /** Called once for each runtime, then when its health or the reason changes. */
  readonly onHealth: (runtimeId: string, healthy: boolean) => void;
  /** The probe interval for healthy runtimes. Unhealthy ones are probed six times as often. */
  readonly probeEveryMs?: number;
}

const RENEW_MS = OFFER_TTL_MS / 3;
const PROBE_INTERVAL_MS = 60_000;
/** A loaded machine may take long to start an executable. */
const PROBE_DEADLINE_MS = 30_000;

/**
 * Publishes the runtimes of this host. Probes each runtime, keeps its offer in the `harnesses` bucket while the host
 * runs, and publishes every change as an event.
 */
export class Offers {
  readonly #publisher: OrderedPublisher;
  readonly #events: EventPublisher;
  readonly #bucket: TypedBucket<HarnessOffer>;
  readonly #options: OffersOptions;
  readonly #offers = new Map<string, HarnessOffer>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #probing = new Map<string, Promise<void>>();
  #stopped = false;

  private constructor(
    publisher: OrderedPublisher,
    blobs: Blobs,
    bucket: TypedBucket<HarnessOffer>,
    options: OffersOptions,
  ) {
    this.#publisher = publisher;
    this.#events = new EventPublisher({ publisher, blobs, source: `harness-host/${options.hostId}` });
    this.#bucket = bucket;
    this.#options = options;
  }

  /** Resolves when every runtime was probed once. */
  static async start(bus: Bus, publisher: OrderedPublisher, options: OffersOptions): Promise<Offers> {
    const offers = new Offers(
      publisher,
      await Blobs.open(bus),
      await openBucket<HarnessOffer>(bus, 'harnesses'),
      options,
    );
    await Promise.all(options.adapters.map((adapter) => offers.#probe(adapter)));
    offers.#startTimers();
    return offers;
  }

  get current(): readonly HarnessOffer[] {
    return [...this.#offers.values()];
  }

  /** Withdraws all offers. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#probing.values());
    for (const offer of this.#offers.values()) {
      await this.#bucket.delete(this.#keyOf(offer)).catch(() => false);
      this.#publish({ ...offer, healthy: false, reason: 'the host is stopping' });
    }
    await this.#publisher.settled();
  }

  #startTimers(): void {
    const intervalMs = this.#options.probeEveryMs ?? PROBE_INTERVAL_MS;
    const renew = setInterval(() => void Promise.all(this.current.map((offer) => this.#put(offer))), RENEW_MS);
    const probeAll = setInterval(() => this.#probeAgain(() => true), intervalMs);
    const probeUnhealthy = setInterval(() => this.#probeAgain((offer) => !offer.healthy), intervalMs / 6);
    this.#timers.push(renew.unref(), probeAll.unref(), probeUnhealthy.unref());
  }

  #probeAgain(filter: (offer: HarnessOffer) => boolean): void {
    for (const adapter of this.#options.adapters) {
      const offer = this.#offers.get(adapter.runtimeId);
      if (offer && filter(offer) && !this.#probing.has(adapter.runtimeId)) void this.#probe(adapter);
    }
  }

  async #probe(adapter: HarnessAdapter): Promise<void> {
    const probing = this.#probeOnce(adapter);
    this.#probing.set(adapter.runtimeId, probing);
    await probing;
    this.#probing.delete(adapter.runtimeId);
  }

  async #probeOnce(adapter: HarnessAdapter): Promise<void> {
    const { runtimeId, capabilities } = adapter;
    const { hostId, sandbox, network, environmentOf, onHealth, redactor, usageOf } = this.#options;
    const health = await adapter.probe(environmentOf(runtimeId), PROBE_DEADLINE_MS);
    if (this.#stopped) return;
    const before = this.#offers.get(runtimeId);
    const named = { runtimeId, hostId, sandbox, network, ...usageOf(runtimeId), capabilities: namesOf(capabilities) };
    const offer: HarnessOffer = { ...named, ...redactor.value(fieldsOf(health)) };
    this.#offers.set(runtimeId, offer);
    await this.#put(offer);
    if (before?.healthy === offer.healthy && before.reason === offer.reason) return;
    onHealth(runtimeId, offer.healthy);
    this.#publish(offer);
  }

  /** Ignores a failed write: the next renewal repeats it. */
  async #put(offer: HarnessOffer): Promise<void> {
    if (this.#stopped) return;
    const current = { ...offer, ...this.#options.usageOf(offer.runtimeId) };
    await this.#bucket.put(this.#keyOf(offer), current, OFFER_TTL_MS).catch(() => undefined);
  }

  #keyOf({ hostId, runtimeId }: HarnessOffer): string {
    return `${hostId}.${runtimeId}`;
  }

  #publish({ runtimeId, hostId, version, healthy, reason }: HarnessOffer): void {
    const type = healthy ? 'runtime.harness.available' : 'runtime.harness.unavailable';
    const none = { requestId: NO_REQUEST, sessionId: NO_REQUEST, agentId: NO_REQUEST, workspaceId: NO_REQUEST };
    const body = { type, ...none, runtimeId, hostId, version, ...defined({ reason }) };
    const time = new Date().toISOString();
    const subject = eventSubject({ type, workspaceId: NO_REQUEST, requestId: NO_REQUEST });
    // Not awaited: a host without a connection continues to probe. `stop` waits until the last ones are stored.
    this.#publisher.publish(this.#events.envelope({ id: `${hostId}.${runtimeId}.${time}`, subject, body, time }));
  }
}

type HealthFields = Pick<HarnessOffer, 'healthy' | 'version' | 'reason' | 'providers'>;

function fieldsOf(health: HarnessHealth): HealthFields & JsonObject {
  const { version, providers = [] } = health;
  const checked = providers.length > 0 && { providers: providers.map((provider) => ({ ...provider })) };
  if (health.healthy) return { healthy: true, version, ...checked };
  return { healthy: false, version, reason: `${health.reason} (${health.hint})`, ...checked };
}

/**
 * The names of the capabilities, of the tools of the executor and of Reins (`tool:read`), and of those that the model knows under another
 * name (`native:glob=find`).
 */
function namesOf({ mcp, builtinTools = [], nativeToolNames = {}, ...can }: HarnessCapabilities): string[] {
  const names = Object.entries(can).flatMap(([name, yes]) => (yes ? [name] : []));
  const served = mcp === 'none' ? [] : SERVED_TOOL_IDS;
  return [
    ...names,
    ...(mcp === 'none' ? [] : ['mcp', 'waitingUser']),
    ...[...builtinTools, ...served].map((tool) => `tool:${tool}`),
    ...Object.entries(nativeToolNames).map(([tool, native]) => `native:${tool}=${native}`),
  ];
}
