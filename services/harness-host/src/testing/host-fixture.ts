import { setImmediate } from 'node:timers/promises';
import {
  Blobs,
  type Bus,
  Controls,
  connectBus,
  KeyedBlobs,
  lastMessageOn,
  OrderedPublisher,
  provision,
  silentLog,
} from '@reins/bus';
import {
  type AnyEvent,
  type EventOf,
  type EventType,
  eventSubject,
  HEADERS,
  inboxSubject,
  type JsonObject,
  type Problem,
  parseEvent,
  type RuntimeStageRequested,
  replyTemplate,
  type Stage,
  subjectTypeOf,
} from '@reins/contracts';
import { BUILT_IN_ADAPTERS } from '@reins/harness';
import type { HostRequest } from '@reins/runtime-config';
import type { Environment } from '@reins/service-kit';
import { startNats, type TestNats, tempDir } from '@reins/testing';
import { EMPTY_MANIFEST, type Tree, TreeStore, treeIdOf } from '@reins/workspace-tree';
import { HarnessHost, type HostOptions } from '../harness-host.ts';

export type HostSettings = HostOptions['settings'];
interface SeenEvent {
  readonly subject: string;
  readonly type: string;
  readonly body: AnyEvent;
  /** When the event was built. */
  readonly time: string | undefined;
}

/** The parts of a stage request that tests vary. */
export interface StageRequestOptions {
  readonly instruction: string;
  readonly runtimeId?: string;
  readonly stage?: Stage;
  readonly attempt?: number;
  readonly effectId?: string;
  readonly tree?: string;
  readonly request?: Partial<HostRequest>;
  readonly event?: Partial<RuntimeStageRequested>;
  /** The reply subject, by default the inbox. */
  readonly reply?: string;
  /** The event log had lost the request. */
  readonly repaired?: boolean;
}

const WORKSPACE = 'ws1';
export const DEFAULT_SETTINGS: HostSettings = {
  host: {
    runtimes: ['echo'],
    harnessesDir: '.reins/harnesses',
    slots: 2,
    warm: 1,
    sandbox: 'preferred',
    secrets: [],
    setupCacheMb: 100,
    setupCacheDays: 1,
    network: 'open',
    servicesNetwork: 'open',
    allow: [],
  },
  harness: {},
  providers: {},
  model: {},
  policy: { files: [], mode: 'enforce' },
  runtimeProfile: { stages: {} },
};

/** A real NATS server with the whole topology, and a recording of all its events. */
export class HostFixture {
  readonly nats: TestNats;
  readonly bus: Bus;
  readonly blobs: Blobs;
  readonly controls: Controls;
  readonly trees: TreeStore;
  readonly #publisher: OrderedPublisher;
  /** The problems for which hosts gave up. */
  readonly fatalProblems: Problem[] = [];
  readonly #seen: SeenEvent[] = [];
  readonly #hosts: HarnessHost[] = [];
  readonly #buses: Bus[] = [];
  #waiting: (() => void)[] = [];
  #runs = 0;
  /** The caches of the hosts, which start empty. */
  #cacheDir: Promise<string> | undefined;

  private constructor(nats: TestNats, bus: Bus, parts: { blobs: Blobs; controls: Controls; trees: TreeStore }) {
    this.nats = nats;
    this.bus = bus;
    this.blobs = parts.blobs;
    this.controls = parts.controls;
    this.trees = parts.trees;
    this.#publisher = new OrderedPublisher(bus);
    for (const subject of ['inbox.>', 'agent.>', 'runtime.>']) this.#listen(subject);
  }

  static async start(): Promise<HostFixture> {
    const nats = await startNats();
    const bus = await connectBus({ servers: nats.url, name: 'test' });
    await provision(bus, {
      partitions: 4,
      replicas: 1,
      runtimeIds: BUILT_IN_ADAPTERS.map(({ runtimeId }) => runtimeId),
      managed: 'self',
    });
    const trees = new TreeStore(await KeyedBlobs.open(bus));
    const fixture = new HostFixture(nats, bus, {
      blobs: await Blobs.open(bus),
      controls: await Controls.open(bus),
      trees,
    });
    await trees.put(emptyTree());
    return fixture;
  }

  /** Starts a host in this process with its own connection. */
  async host(settings: Partial<HostSettings> = {}, environment: Environment = {}): Promise<HarnessHost> {
    const bus = await connectBus({ servers: this.nats.url, name: 'host' });
    this.#buses.push(bus);
    this.#cacheDir ??= tempDir('cache');
    const withPath = { PATH: process.env.PATH, XDG_CACHE_HOME: await this.#cacheDir, ...environment };
    const host = await HarnessHost.start({
      bus,
      settings: { ...DEFAULT_SETTINGS, ...settings },
      environment: withPath,
      log: silentLog,
      shutDownWithError: (problem) => this.fatalProblems.push(problem),
    });
    this.#hosts.push(host);
    return host;
  }

  /** Publishes a stage request, as the control bus does. */
  async request(options: StageRequestOptions): Promise<RuntimeStageRequested> {
    this.#runs += 1;
    const requestId = `run${this.#runs}`;
    const { runtimeId = 'echo', stage = 'execute', attempt = 1, effectId = `effect-${this.#runs}` } = options;
    const hostRequest = hostRequestOf(options, { requestId, runtimeId, stage });
    const stored = await this.blobs.put(bytes(hostRequest));
    const event: RuntimeStageRequested = {
      type: 'runtime.stage.requested',
      requestId,
      sessionId: 'session1',
      agentId: 'agent1',
      workspaceId: WORKSPACE,
      effectId,
      stage,
      runtimeId,
      attempt,
      hostRequestRef: stored,
      deadline: new Date(Date.now() + 120_000).toISOString(),
      limits: { startWithinMs: 60_000, runForMs: 60_000, maxAttempts: 2, onUnknown: 'retry' },
      tree: options.tree ?? emptyTree().treeId,
      ...options.event,
    };
    await this.publish(event, undefined, options.reply, options.repaired);
    return event;
  }

  /** Publishes a request. Another `id` makes a repeated request a new message. */
  async publish(
    event: RuntimeStageRequested,
    id = `${event.effectId}-${event.attempt}`,
    reply = replyTemplate({ workspaceId: event.workspaceId, runId: event.requestId }, event.effectId, 4),
    repaired = false,
  ): Promise<void> {
    const { requestId, workspaceId, runtimeId, type } = event;
    const subject = eventSubject({ type, workspaceId, requestId, runtimeId });
    const headers = { id, type, source: 'test', time: new Date().toISOString(), reply, repaired };
    await this.#publisher.publishAll([{ subject, data: bytes(event), headers }]);
  }

  /** The events of one type about an effect, in order. */
  eventsOf<T extends EventType>(type: T, effectId: string): EventOf<T>[] {
    const found = this.#seen.filter(
      (item) => item.type === type && 'effectId' in item.body && item.body.effectId === effectId,
    );
    return found.map(({ body }) => body as EventOf<T>);
  }

  /** The events of one type about a request, in order. */
  factsOf<T extends EventType>(type: T, requestId: string): EventOf<T>[] {
    const found = this.#seen.filter((item) => item.type === type && item.body.requestId === requestId);
    return found.map(({ body }) => body as EventOf<T>);
  }

  /** How many events of one type about an effect were built. One that was sent again, unconfirmed, counts once. */
  countOf(type: EventType, effectId: string): number {
    const found = this.#seen.filter(
      (item) => item.type === type && 'effectId' in item.body && item.body.effectId === effectId,
    );
    return new Set(found.map(({ time }) => time)).size;
  }

  /** Resolves with the first event of one of these types about an effect. */
  async firstEvent<T extends EventType>(effectId: string, ...types: T[]): Promise<EventOf<T>> {
    for (;;) {
      const [found] = types.flatMap((type) => this.eventsOf(type, effectId));
      if (found) return found;
      await this.nextEvent();
    }
  }

  /** Resolves at the next event. */
  nextEvent(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves with an answer when it is stored in the inbox. */
  async inInbox(type: EventType, { workspaceId, requestId, effectId }: RuntimeStageRequested): Promise<AnyEvent> {
    const subject = inboxSubject({ type, workspaceId, runId: requestId, effectId }, 4);
    for (;;) {
      const found = await lastMessageOn(this.bus, 'INBOX', subject).catch(() => undefined);
      if (found) return parseEvent(found.data);
      await setImmediate();
    }
  }

  /** Resolves with the final event of an effect. */
  finalEvent(effectId: string) {
    return this.firstEvent(effectId, 'runtime.stage.completed', 'runtime.stage.failed', 'runtime.stage.cancelled');
  }

  /** The types of all events about an effect, in order. */
  eventTypes(effectId: string): string[] {
    return this.#seen.filter(({ body }) => 'effectId' in body && body.effectId === effectId).map(({ type }) => type);
  }

  /** All events about an effect. */
  allEvents(effectId: string): readonly AnyEvent[] {
    return this.#seen.map(({ body }) => body).filter((body) => 'effectId' in body && body.effectId === effectId);
  }

  async files(treeId: string): Promise<Record<string, string>> {
    const tree = await this.trees.open(treeId);
    const read = async (path: string) => [path, Buffer.from(await tree.read(path)).toString()] as const;
    return Object.fromEntries(await Promise.all([...tree.manifest.keys()].map(read)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.stop(0)));
    await this.#publisher.close();
    await Promise.all([...this.#buses, this.bus].map((bus) => bus.close()));
    await this.nats.stop();
  }

  #listen(subject: string): void {
    this.bus.nc.subscribe(subject, {
      callback: (_error, message) => {
        const body = parsed(message.data);
        if (body)
          this.#seen.push({
            subject: message.subject,
            type: subjectTypeOf(body),
            body,
            time: message.headers?.get(HEADERS.time),
          });
        for (const resolve of this.#waiting.splice(0)) resolve();
      },
    });
  }
}

function hostRequestOf(
  { instruction, request }: StageRequestOptions,
  { requestId, runtimeId, stage }: { requestId: string; runtimeId: string; stage: Stage },
): JsonObject {
  const required = {
    workspace_id: WORKSPACE,
    workspace_dir: '{host:workspace_dir}',
    session_id: 'session1',
    input_id: requestId,
    runtime_id: runtimeId,
    stage,
    iteration: 1,
    instruction,
    timeout_seconds: 60,
    tools: { read: true, write: true, bash: true },
    workspace_config_checksum: 'x',
    run_started_payload: { instruction_preview: instruction },
  };
  return { ...required, ...request } as unknown as JsonObject;
}

function emptyTree(): Tree {
  const treeId = treeIdOf(EMPTY_MANIFEST);
  return { treeId, manifest: EMPTY_MANIFEST, read: () => Promise.reject(new Error('the tree is empty')) };
}

/** Returns undefined for invalid messages, which some tests publish. */
function parsed(data: Uint8Array): AnyEvent | undefined {
  try {
    return parseEvent(data);
  } catch {
    return undefined;
  }
}

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
