import { type DynamicModule, type FactoryProvider, Module, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { Blobs, type Bus, EventPublisher, OrderedPublisher } from '@reins/bus';
import { TreeStore } from '@reins/workspace-tree';
import { HarnessWatch } from '../harnesses/harness-watch.ts';
import { openTrees } from '../trees.ts';
import { BUS, SERVICE } from './service-context.ts';

/** A part of the bus that a service can use. It is injected by its class. */
type BusPart = typeof Blobs | typeof TreeStore | typeof HarnessWatch | typeof EventPublisher;

/** Opens the parts of the bus that a service uses, and closes them after its last handler has finished. */
@Module({})
export class BusModule implements OnApplicationShutdown {
  constructor(
    @Optional() private readonly harnesses?: HarnessWatch,
    @Optional() private readonly publisher?: OrderedPublisher,
  ) {}

  /** The module with these parts. A service opens no others, because it may not be permitted to use them. */
  static with(...parts: readonly BusPart[]): DynamicModule {
    const providers = parts.flatMap((part) => PROVIDERS.get(part) ?? []);
    return { module: BusModule, providers: [...new Set(providers)], exports: [...parts] };
  }

  async onApplicationShutdown(): Promise<void> {
    this.harnesses?.stop();
    await this.publisher?.close();
  }
}

const blobs: FactoryProvider = { provide: Blobs, inject: [BUS], useFactory: (bus: Bus) => Blobs.open(bus) };

const PROVIDERS: ReadonlyMap<BusPart, readonly FactoryProvider[]> = new Map<BusPart, readonly FactoryProvider[]>([
  [Blobs, [blobs]],
  [TreeStore, [{ provide: TreeStore, inject: [BUS], useFactory: openTrees }]],
  [HarnessWatch, [{ provide: HarnessWatch, inject: [BUS], useFactory: (bus: Bus) => HarnessWatch.start(bus) }]],
  [
    EventPublisher,
    [
      blobs,
      { provide: OrderedPublisher, inject: [BUS], useFactory: (bus: Bus) => new OrderedPublisher(bus) },
      {
        provide: EventPublisher,
        inject: [OrderedPublisher, Blobs, SERVICE],
        useFactory: (publisher: OrderedPublisher, store: Blobs, service: string) =>
          new EventPublisher({ publisher, blobs: store, source: `reins/${service}` }),
      },
    ],
  ],
]);
