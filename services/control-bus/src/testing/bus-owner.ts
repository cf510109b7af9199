import { inspect } from 'node:util';
import { type Bus, connectBus, OrderedPublisher, type OutgoingMessage, PartitionLeases } from '@reins/bus';
import { type CommandRunSubmit, type EventOf, inboxSubject } from '@reins/contracts';
import { type Logger, NO_TELEMETRY, Settings } from '@reins/service-kit';
import { openBusPorts } from '../partition/bus-ports.ts';
import { OwnedPartition } from '../partition/owned-partition.ts';
import type { BuiltInProcess } from '../processes/built-in-process.ts';
import type { RunPorts } from '../run/run-ports.ts';

export const PARTITIONS = 2;

/** The warnings that are kept, for the error of a test that fails. */
const MAX_WARNINGS = 20;

/** A log that keeps its last warnings. */
function warningsOf(kept: string[]) {
  const add = (fields: object, text: string): void => {
    kept.push(`${text} ${inspect(fields, { depth: 3 })}`);
    if (kept.length > MAX_WARNINGS) kept.shift();
  };
  return { debug() {}, info() {}, warn: add, error: add };
}

/** The address fields of a command; the session has the same id as the run. */
export const headOf = (requestId: string) =>
  ({ requestId, sessionId: requestId, agentId: 'main', workspaceId: 'ws' }) as const;

/** A submit command; `more` overrides its fields. */
export const submission = (requestId: string, more: Partial<CommandRunSubmit> = {}): CommandRunSubmit => ({
  type: 'command.run.submit',
  ...headOf(requestId),
  idempotencyKey: 'submit',
  revision: 'a'.repeat(64),
  input: null,
  submittedAt: new Date().toISOString(),
  ...more,
});

/** Looks up these processes by id, like built-in ones. */
export const processesOf =
  (runs: Readonly<Record<string, BuiltInProcess['run']>>) =>
  (id: string): BuiltInProcess => ({
    id,
    codeHash: 'v1',
    run: runs[id] ?? (() => Promise.reject(new Error(`no process ${id}`))),
  });

export interface OwnerTimes {
  readonly inMemoryMs?: number;
  readonly archiveAfterMs?: number;
  /** Enables workspace processes. */
  readonly authored?: RunPorts['authored'];
}

/** A replica that owns every partition of a real bus, for tests. */
export class BusOwner {
  #stopped: Promise<void> | undefined;

  private constructor(
    readonly bus: Bus,
    private readonly partitions: Map<number, OwnedPartition>,
    /** When the lease of each partition was won, on the clock of `performance.now()`. */
    readonly wonAt: ReadonlyMap<number, number>,
    /** By kind: how many repairs it made. */
    readonly repairs: ReadonlyMap<string, number>,
    /** What it logged last as a warning or an error. */
    readonly warnings: readonly string[],
    private readonly commands: OrderedPublisher,
    private readonly release: () => Promise<void>,
    private readonly close: () => Promise<void>,
  ) {}

  /** @param inMemoryMs how long a waiting run stays in memory */
  static async start(
    url: string,
    processOf: RunPorts['processOf'],
    { inMemoryMs = 30_000, archiveAfterMs, authored }: OwnerTimes = {},
  ): Promise<BusOwner> {
    const warnings: string[] = [];
    const log = warningsOf(warnings) as unknown as Logger;
    const bus = await connectBus({ servers: url, name: `owner-${crypto.randomUUID().slice(0, 8)}`, log });
    const settings = new Settings();
    settings.nats.partitions = PARTITIONS;
    if (archiveAfterMs !== undefined) settings.journal.archiveAfterMs = archiveAfterMs;
    const telemetry = NO_TELEMETRY;
    const repairs = new Map<string, number>();
    const opened = await openBusPorts({
      bus,
      log,
      settings,
      telemetry,
      processOf,
      ...(authored && { authored }),
      onInboxLost: ({ partition }, reason) => log.error({ partition, reason }, 'inbox lost'),
      onRepaired: (kind, count) => void repairs.set(kind, (repairs.get(kind) ?? 0) + count),
      stageHosts: { idleMs: (_, periodMs) => periodMs, slotsOf: () => 1 },
    });
    const partitions = new Map<number, OwnedPartition>();
    const wonAt = new Map<number, number>();
    const won = Promise.withResolvers<void>();
    const leases = new PartitionLeases(bus, {
      replica: bus.name,
      partitions: PARTITIONS,
      callbacks: {
        won: async (lease) => {
          wonAt.set(lease.partition, performance.now());
          const partition = new OwnedPartition({ ...opened.ports, inMemoryMs }, lease);
          partitions.set(lease.partition, partition);
          await partition.start(leases);
          if (partitions.size === PARTITIONS) won.resolve();
        },
        handover: async ({ partition }) => partitions.get(partition)?.stop(),
        lost: ({ partition }) => partitions.get(partition)?.drop(),
      },
    });
    await leases.start();
    await won.promise;
    const commands = new OrderedPublisher(bus);
    return new BusOwner(
      bus,
      partitions,
      wonAt,
      repairs,
      warnings,
      commands,
      () => leases.stop(),
      async () => {
        // Always close the connection: an open one keeps the test process running.
        await Promise.all([opened.close(), commands.close()]).finally(() => bus.close());
      },
    );
  }

  /** Runs in memory. */
  get runs(): number {
    return [...this.partitions.values()].reduce((sum, { runs }) => sum + runs, 0);
  }

  /** Puts commands into the inbox, in order. */
  async send(...bodies: readonly TestCommand[]): Promise<void> {
    await this.commands.publishAll(bodies.map(messageOf));
  }

  /** Stops without finishing anything. Another owner may take over immediately. */
  async kill(): Promise<void> {
    for (const partition of this.partitions.values()) partition.drop();
    await this.stop();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.release().finally(() => this.close());
    return this.#stopped;
  }
}

/** The commands that tests send. */
type TestCommand = EventOf<
  | 'command.run.submit'
  | 'command.run.assign'
  | 'command.run.resume'
  | 'command.signal'
  | 'command.run.cancel'
  | 'command.run.answer'
>;

/** The inbox message of a command. */
export function messageOf(body: TestCommand): OutgoingMessage {
  const { type, workspaceId, requestId, idempotencyKey } = body;
  const subject = inboxSubject({ type, workspaceId, runId: requestId }, PARTITIONS);
  const headers = { id: `${requestId}.${idempotencyKey}`, type, source: 'test', time: new Date().toISOString() };
  return { subject, data: new TextEncoder().encode(JSON.stringify(body)), headers };
}
