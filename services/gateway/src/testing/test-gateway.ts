import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Blobs, type Bus, connectBus, externalise, OrderedPublisher, openBucket, provision } from '@reins/bus';
import { type AnyEvent, type ApiKeyRecord, eventSubject, type HarnessOffer } from '@reins/contracts';
import { type RunningService, Settings, startService } from '@reins/service-kit';
import { type Database, type LogEvent, migrate, openDatabase } from '@reins/store';
import { recordedRun } from '@reins/store/testing';
import { startNats, startPostgres, type TestNats, type TestPostgres, until } from '@reins/testing';
import { gateway } from '../index.ts';
import type { Command } from '../requests/commands.ts';

export const API_KEY = 'rk_0a_5ec2e7';
export const PARTITIONS = 4;
const PROVISION = { managed: 'self', partitions: PARTITIONS, replicas: 1, runtimeIds: [] } as const;

export interface ApiResult {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** A gateway with its own NATS server and Postgres, and an API key. Tests publish the events of the control bus. */
export class TestGateway {
  private constructor(
    readonly postgres: TestPostgres,
    readonly nats: TestNats,
    readonly bus: Bus,
    readonly db: Database,
    readonly service: RunningService,
  ) {}

  static async start(change: (settings: Settings) => void | Promise<void> = () => {}): Promise<TestGateway> {
    const postgres = await startPostgres();
    const databaseUrl = await postgres.createDatabase();
    const nats = await startNats();
    const bus = await connectBus({ servers: nats.url, name: 'test' });
    await provision(bus, PROVISION);
    await addKey(bus, '0a', '5ec2e7');
    const offers = () => Promise.all([offer(bus, 'pi'), offer(bus, 'codex')]);
    await offers();
    const settings = new Settings();
    settings.nats.url = nats.url;
    settings.nats.partitions = PARTITIONS;
    settings.database.url = databaseUrl;
    settings.http.port = 0;
    settings.log.level = 'error';
    settings.host.runtimes = [];
    await change(settings);
    const db = openDatabase({ url: databaseUrl });
    await migrate(db);
    const service = await startService(gateway, settings);
    // A host counts as alive once it has renewed its offers.
    await offers();
    const api = new TestGateway(postgres, nats, bus, db, service);
    // On a busy machine, the first connection to Postgres may take longer than the gateway waits for it.
    await until(async () => (await api.get('/requests?limit=1')).status !== 503);
    return api;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.db.destroy();
    await this.bus.close();
    await this.nats.stop();
    await this.postgres.stop();
  }

  /** Kills NATS and starts it again. Resolves when the test is connected again. */
  async crashNats(): Promise<void> {
    await this.nats.kill();
    await this.nats.restart();
    const reached = (): Promise<boolean> =>
      this.bus.nc.rtt().then(
        () => true,
        () => false,
      );
    while (!(await reached())) await setTimeout(50);
  }

  /** Replaces the event log with an empty one of the same name. */
  async replaceLog(): Promise<void> {
    await this.bus.jsm.streams.delete('EVENTS');
    await provision(this.bus, PROVISION);
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${API_KEY}`);
    return fetch(`${this.service.url}${path}`, { ...init, headers });
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<ApiResult> {
    return resultOf(await this.fetch(`/api/v1${path}`, { headers }));
  }

  async post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<ApiResult> {
    const json = { 'content-type': 'application/json', ...headers };
    return resultOf(await this.fetch(`/api/v1${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) }));
  }

  /** Uploads a small workspace and submits a request for it. */
  async submit(more: object = {}, headers: Record<string, string> = {}): Promise<ApiResult> {
    await this.post('/workspaces', { workspaceId: 'quickstart', files: [{ path: 'AGENTS.md', content: 'Be kind.' }] });
    return this.post('/requests', { workspace: { id: 'quickstart' }, input: 'hello', ...more }, headers);
  }

  /** The commands in the inbox, oldest first. */
  async commands(): Promise<Command[]> {
    const { state } = await this.bus.jsm.streams.info('INBOX');
    const found: Command[] = [];
    // An empty stream starts at 0.
    for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq++) {
      const message = await this.bus.jsm.streams.getMessage('INBOX', { seq });
      if (message) found.push(message.json<Command>());
    }
    return found;
  }

  /** Publishes a part of the recorded run as events of this request. @param started fields of its first event */
  async publishRun(
    accepted: Record<string, unknown>,
    from = 0,
    to = 1_000,
    externaliseOver = 64 * 1024,
    started: object = {},
  ): Promise<void> {
    const { requestId, sessionId, workspaceId } = accepted as Record<'requestId' | 'sessionId' | 'workspaceId', string>;
    const recorded = recordedRun({ requestId, sessionId, workspaceId }).slice(from, to);
    const events = recorded.map((event) =>
      event.body.type === 'runtime.request.started' ? { ...event, body: { ...event.body, ...started } } : event,
    );
    await this.publishEvents(events, externaliseOver);
  }

  /** Publishes the first event of a request, and recorded runs as its child runs and their child runs. */
  async publishNested(accepted: Record<string, unknown>, childIds: readonly string[]): Promise<void> {
    const { requestId, sessionId, workspaceId } = accepted as Record<'requestId' | 'sessionId' | 'workspaceId', string>;
    const head = { requestId, sessionId, agentId: 'main', effectId: 'e1', attempt: 1, rootRequestId: requestId };
    const runs = childIds.map((id, at) => {
      const parent = { ...head, requestId: childIds[at - 1] ?? requestId, depth: at + 1 };
      return recordedRun({ requestId: id, sessionId: id, workspaceId, parent });
    });
    await this.publishRun(accepted, 0, 1);
    for (const [at, run] of runs.entries()) {
      const childRequestId = childIds[at];
      const waiting = childIds[at - 1] ?? requestId;
      const type = 'runtime.child.started';
      const body = { type, ...head, requestId: waiting, workspaceId, childRequestId } as unknown as AnyEvent;
      const subject = eventSubject({ type, workspaceId, requestId: waiting });
      const time = new Date().toISOString();
      await this.publishEvents([{ id: `${waiting}.child`, seq: 0, subject, source: 'control-bus', time, body }]);
      await this.publishEvents(run);
    }
  }

  async publishEvents(events: readonly LogEvent[], externaliseOver = 64 * 1024): Promise<void> {
    const publisher = new OrderedPublisher(this.bus);
    const blobs = await Blobs.open(this.bus);
    for (const { id, subject, source, time, version, body } of events) {
      const data = await externalise(blobs, new TextEncoder().encode(JSON.stringify(body)), externaliseOver);
      const place = version === undefined ? {} : { version };
      publisher.publish({ subject, data, headers: { id, type: body.type, source, time, ...place } });
    }
    await publisher.settled();
    await publisher.close();
  }
}

/** Stores the offer of a host for this runtime. */
async function offer(bus: Bus, runtimeId: string): Promise<void> {
  const record = { runtimeId, hostId: 'h1', version: '1', healthy: true, slots: 1, capabilities: [] };
  await (await openBucket<HarnessOffer>(bus, 'harnesses')).put(`h1.${runtimeId}`, record);
}

export async function addKey(bus: Bus, id: string, secret: string, revokedAt?: string): Promise<void> {
  const keys = await openBucket<ApiKeyRecord>(bus, 'keys');
  const hash = createHash('sha256').update(secret).digest('hex');
  await keys.put(id, {
    id,
    name: `key ${id}`,
    hash,
    createdAt: new Date().toISOString(),
    ...(revokedAt && { revokedAt }),
  });
}

async function resultOf(response: Response): Promise<ApiResult> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
}

/** One server-sent event. */
export interface ServerSent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: Record<string, unknown>;
}

/** Parses the server-sent events of a response until it ends. */
export async function* serverSent(response: Response): AsyncGenerator<ServerSent> {
  let text = '';
  for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const field = (name: string): string | undefined =>
        frame
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const data = field('data');
      if (data !== undefined) yield { id: field('id'), event: field('event'), data: JSON.parse(data) };
    }
  }
}
