import { Module, type Type } from '@nestjs/common';
import { Blobs, type Bus, connectBus, EventPublisher, OrderedPublisher, openBucket } from '@reins/bus';
import {
  type AnyEvent,
  type BlobRef,
  type EventOf,
  type HarnessOffer,
  type JsonObject,
  OFFER_TTL_MS,
  parseEvent,
  replyTemplate,
} from '@reins/contracts';
import {
  BusModule,
  ENVIRONMENT,
  type Environment,
  HarnessWatch,
  openTrees,
  type RunningService,
  Settings,
  startService,
} from '@reins/service-kit';
import { startNats, type TestNats, until } from '@reins/testing';
import { compileWorkspace } from '@reins/workspace-plan';
import { type Tree, type TreeEntry, TreeStore, treeFromEntries } from '@reins/workspace-tree';
import { runnerPrep } from '../index.ts';
import { RunnerPrepHandlers } from '../runner-prep.handlers.ts';
import { RunnerPrepService } from '../runner-prep.service.ts';

export const CANARY = 'sk-canary-secret';
export type Completed = EventOf<'runtime.prepare.completed'>;

/** Parts of a workspace.yaml. */
export interface Workspace {
  readonly agent?: string;
  readonly servers?: string;
  readonly rest?: string;
  /** The documents of an inventory, instead of workspace.yaml. */
  readonly inventory?: string;
}

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** The module of the service with the given environment variables. */
function moduleWith(environment: Environment): Type<unknown> {
  @Module({
    imports: [BusModule.with(Blobs, TreeStore, HarnessWatch, EventPublisher)],
    controllers: [RunnerPrepHandlers],
    providers: [RunnerPrepService, { provide: ENVIRONMENT, useValue: environment }],
  })
  class WithEnvironment {}
  return WithEnvironment;
}

/** A runner-prep service with a real NATS server. The test takes the role of the control bus. */
export class PrepFixture {
  readonly #answers: AnyEvent[] = [];
  readonly #renewals = new Map<string, NodeJS.Timeout>();
  #last = 0;

  private constructor(
    private readonly nats: TestNats,
    private readonly service: RunningService,
    readonly bus: Bus,
    private readonly publisher: OrderedPublisher,
    readonly blobs: Blobs,
    private readonly trees: TreeStore,
  ) {
    bus.nc.subscribe('inbox.>', { callback: (_, message) => void this.#answers.push(parseEvent(message.data)) });
  }

  static async start(
    change: (settings: Settings) => void = () => {},
    environment: Environment = {},
  ): Promise<PrepFixture> {
    const nats = await startNats();
    const settings = new Settings();
    Object.assign(settings.nats, { url: nats.url });
    Object.assign(settings.http, { portBase: 0 });
    Object.assign(settings.log, { level: 'error' });
    settings.providers = { local: { api: 'openai-completions', baseUrl: 'http://127.0.0.1:1/v1', apiKey: CANARY } };
    // Long deadlines for a busy machine. Tests of timeouts set shorter ones.
    Object.assign(settings.prepare, { contextDeadlineMs: 60_000, extractDeadlineMs: 60_000 });
    change(settings);
    const service = await startService({ ...runnerPrep, module: moduleWith(environment) }, settings);
    const bus = await connectBus({ servers: nats.url, name: 'test' });
    return new PrepFixture(nats, service, bus, new OrderedPublisher(bus), await Blobs.open(bus), await openTrees(bus));
  }

  async stop(): Promise<void> {
    for (const renewal of this.#renewals.values()) clearInterval(renewal);
    await this.publisher.close();
    await this.bus.close();
    await this.service.stop();
    await this.nats.stop();
  }

  /** Offers a runtime as a host would, and renews the offer. */
  async offer(runtimeId: string, capabilities: readonly string[]): Promise<void> {
    const bucket = await openBucket<HarnessOffer>(this.bus, 'harnesses');
    const offer = { runtimeId, hostId: 'h1', version: '1', healthy: true, slots: 1, capabilities: [...capabilities] };
    const put = () => bucket.put(`h1.${runtimeId}`, offer);
    await put();
    clearInterval(this.#renewals.get(runtimeId));
    // A failed write is compensated by the next renewal.
    const renew = setInterval(() => void put().catch(() => undefined), OFFER_TTL_MS / 3);
    this.#renewals.set(runtimeId, renew);
    await this.#seen(runtimeId, capabilities.length);
  }

  /** Withdraws the offer of a runtime. */
  async withdraw(runtimeId: string): Promise<void> {
    clearInterval(this.#renewals.get(runtimeId));
    const bucket = await openBucket<HarnessOffer>(this.bus, 'harnesses');
    await bucket.delete(`h1.${runtimeId}`);
    await this.#seen(runtimeId, 0);
  }

  /** Waits until a watch sees the offer. The service watches the same bucket, with the same order of updates. */
  async #seen(runtimeId: string, capabilities: number): Promise<void> {
    const watch = await HarnessWatch.start(this.bus);
    await until(() => watch.capabilitiesOf(runtimeId).length === capabilities || undefined);
    watch.stop();
  }

  /** Stores a workspace, and returns the id of its tree. */
  async tree(files: Readonly<Record<string, string>>, links: readonly TreeEntry[] = []): Promise<string> {
    const tree = treeFromEntries([...Object.entries(files).map(([path, content]) => ({ path, content })), ...links]);
    await this.trees.put(tree);
    return tree.treeId;
  }

  openTree(treeId: string): Promise<Tree> {
    return this.trees.open(treeId);
  }

  put(content: Uint8Array): Promise<BlobRef> {
    return this.blobs.put(content);
  }

  /** Requests a preparation and returns the answer. */
  async ask(
    more: JsonObject = {},
    { agent = '', servers = '{}', rest = '', inventory }: Workspace = {},
  ): Promise<AnyEvent> {
    this.#last += 1;
    const effectId = `e${this.#last}`;
    const agents = `agents: {id: main, model: local/m${agent}}`;
    const workspaceYaml = `${agents}\nmcp_registry: {servers: ${servers}}\n${rest}`;
    const compiled = compileWorkspace({
      workspaceId: 'ws',
      workspaceYaml: inventory === undefined ? workspaceYaml : null,
      references: { 'AGENTS.md': 'Be kind.' },
      files: inventory === undefined ? {} : { 'config/all.yaml': inventory },
    });
    if (!compiled.ok) throw new Error(compiled.error.message);
    const record = { inputsChecksum: compiled.inputs_checksum, plan: compiled.plan, diagnostics: [] };
    const head = { requestId: 'r', sessionId: 's', agentId: 'main', workspaceId: 'ws' };
    const request = {
      stage: 'execute',
      runtimeId: 'pi',
      planRef: { ...(await this.blobs.put(bytes(record))) },
      iteration: 1,
      input: { input: 'List the files' },
      tree: await this.tree({ 'AGENTS.md': 'Be kind.' }),
    };
    const body = { type: 'runtime.prepare.requested', ...head, effectId, attempt: 1, ...request, ...more };
    const reply = replyTemplate({ workspaceId: 'ws', runId: 'r' }, effectId);
    const headers = { id: effectId, type: body.type, source: 'test', time: new Date().toISOString(), reply };
    await this.publisher.publishAll([{ subject: 'runtime.prepare.requested.ws.r', data: bytes(body), headers }]);
    return until(() => this.#answers.find((answer) => 'effectId' in answer && answer.effectId === effectId));
  }

  /** Like `ask`, with the stored host request and snapshot. */
  async prepared(more: JsonObject = {}, workspace: Workspace = {}) {
    const answer = (await this.ask(more, workspace)) as Completed;
    if (answer.type !== 'runtime.prepare.completed') throw new Error(JSON.stringify(answer));
    const read = async (ref: BlobRef) => JSON.parse(new TextDecoder().decode(await this.blobs.get(ref)));
    return { answer, request: await read(answer.hostRequestRef), snapshot: await read(answer.snapshotRef) };
  }
}
