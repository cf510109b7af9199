import { type Bus, callService, connectBus, MEMORY_CALLS, provision } from '@reins/bus';
import type { MemoryAddCall, MemoryDecision, MemoryEntry, MemoryPage, MemoryVerification } from '@reins/contracts';
import { type RunningService, Settings, startService } from '@reins/service-kit';
import { startNats, startPostgres, type TestNats, type TestPostgres, until } from '@reins/testing';
import { memory } from '../index.ts';
import { type MemoryDatabase, openMemory } from '../store/database.ts';
import { SCHEMA } from '../store/schema.ts';

/** A memory service with its own NATS server and Postgres. */
export class TestMemory {
  private constructor(
    readonly postgres: TestPostgres,
    readonly nats: TestNats,
    readonly bus: Bus,
    readonly settings: Settings,
    /** The tables of the service, which tests damage. */
    readonly db: MemoryDatabase,
    public service: RunningService,
  ) {}

  static async start(): Promise<TestMemory> {
    const postgres = await startPostgres();
    const url = await postgres.createDatabase();
    const nats = await startNats();
    const bus = await connectBus({ servers: nats.url, name: 'test' });
    await provision(bus, { managed: 'self', partitions: 2, replicas: 1, runtimeIds: [] });
    const settings = new Settings();
    settings.nats.url = nats.url;
    settings.nats.partitions = 2;
    settings.database.url = url;
    settings.http.port = 0;
    settings.log.level = 'error';
    const service = await startService(memory, settings);
    const test = new TestMemory(postgres, nats, bus, settings, openMemory(url, SCHEMA), service);
    await test.ready();
    return test;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.db.destroy();
    await this.bus.close();
    await this.nats.stop();
    await this.postgres.stop();
  }

  async restart(): Promise<void> {
    await this.service.stop();
    this.service = await startService(memory, this.settings);
    await this.ready();
  }

  async ready(): Promise<void> {
    await until(async () => (await fetch(`${this.service.url}/readyz`)).status === 200, { what: 'memory is ready' });
  }

  call<Result>(name: string, body: object = {}): Promise<Result> {
    return callService<Result>(this.bus, `${MEMORY_CALLS}.${name}`, body, { timeoutMs: 60_000 });
  }

  add(namespace: string, text: string, more: Partial<MemoryAddCall> = {}): Promise<MemoryDecision> {
    return this.call('add', { namespace, kind: 'fact', text, source: { person: 'ann' }, ...more });
  }

  async texts(body: object): Promise<(string | undefined)[]> {
    return (await this.call<MemoryPage>('list', body)).records.map(({ text }) => text);
  }

  show(id: string): Promise<MemoryEntry> {
    return this.call('show', { id });
  }

  verify(): Promise<MemoryVerification> {
    return this.call('verify');
  }

  /** Everything that the stream MEMORY has, as one text. */
  async streamText(): Promise<string> {
    const { state } = await this.bus.jsm.streams.info('MEMORY');
    const texts: string[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1)
      texts.push((await this.bus.jsm.streams.getMessage('MEMORY', { seq }))?.string() ?? '');
    return texts.join('\n');
  }
}
