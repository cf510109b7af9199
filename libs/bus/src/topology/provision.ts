import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerUpdateConfig, StreamUpdateConfig } from '@nats-io/jetstream';
import { isReinsError, ReinsError } from '@reins/contracts';
import { API, isApiError } from '../connection/api-errors.ts';
import type { Bus } from '../connection/bus.ts';
import { differences, formatChanges, type TopologyChange } from './diff.ts';
import { declareTopology, type Topology, type TopologySettings } from './topology.ts';

/** Who creates streams and buckets: Reins (`self`), or an administrator (`external`). */
export type TopologyManagement = 'self' | 'external';

/** How long to retry a request that gets no reply. A cluster that many services provision concurrently is slow. */
const REPLY_DEADLINE_MS = 60_000;
const RETRY_MS = 250;

/** One change and the function that applies it. */
interface Step {
  readonly change: TopologyChange;
  readonly apply: () => Promise<unknown>;
}

/**
 * Compares the server with the declared topology and applies the differences if `managed` is `self`. Resolves with the
 * differences.
 * @throws ReinsError `bus_topology_mismatch`: a difference cannot be applied, or (`external`) any difference exists;
 * `bus_unavailable`: the server does not respond
 */
export async function provision(
  bus: Bus,
  options: TopologySettings & { readonly managed: TopologyManagement },
): Promise<TopologyChange[]> {
  const changes = await applySteps(await compare(bus, declareTopology(options)), options.managed);
  bus.singleReplica = options.replicas === 1;
  return changes;
}

async function applySteps(steps: readonly Step[], managed: TopologyManagement): Promise<TopologyChange[]> {
  const changes = steps.map((step) => step.change);
  const refused = managed === 'external' ? changes : changes.filter((change) => change.action === 'conflict');
  if (refused.length > 0) {
    throw new ReinsError({
      code: 'bus_topology_mismatch',
      message: `the NATS server differs from the declared topology:\n${formatChanges(refused)}`,
      hint:
        managed === 'external'
          ? 'Ask the NATS administrator to make these changes, or set nats.managed to self.'
          : 'Remove the listed streams and consumers, or use another NATS account.',
    });
  }
  for (const step of steps) await step.apply();
  return changes;
}

async function compare(bus: Bus, topology: Topology): Promise<Step[]> {
  const streams = await Promise.all(topology.streams.map((stream) => compareStream(bus, stream)));
  const consumers = await Promise.all(topology.consumers.map((consumer) => compareConsumer(bus, consumer)));
  return [...streams, ...consumers].filter((step) => step !== undefined);
}

async function compareStream(bus: Bus, { kind, config }: Topology['streams'][number]): Promise<Step | undefined> {
  const { streams } = bus.jsm;
  const found = await findOrUndefined(() => streams.info(config.name));
  if (!found) {
    const change = { kind, name: config.name, action: 'create', details: [] } as const;
    return { change, apply: () => withRetries(() => streams.add(config)) };
  }
  const update: Partial<StreamUpdateConfig> = config;
  return difference(kind, config.name, differences(config, found.config), () =>
    withRetries(() => streams.update(config.name, update)),
  );
}

async function compareConsumer(bus: Bus, { stream, config }: Topology['consumers'][number]): Promise<Step | undefined> {
  const { consumers } = bus.jsm;
  const name = config.durable_name;
  const found = await findOrUndefined(() => consumers.info(stream, name));
  if (!found) {
    const change = { kind: 'consumer', name, action: 'create', details: [] } as const;
    return { change, apply: () => withRetries(() => consumers.add(stream, config)) };
  }
  const update: Partial<ConsumerUpdateConfig> = config;
  return difference('consumer', name, differences(config, found.config), () =>
    withRetries(() => consumers.update(stream, name, update)),
  );
}

function difference(
  kind: TopologyChange['kind'],
  name: string,
  { details, fixed }: { details: string[]; fixed: boolean },
  apply: () => Promise<unknown>,
): Step | undefined {
  if (details.length === 0) return undefined;
  return { change: { kind, name, action: fixed ? 'conflict' : 'update', details }, apply };
}

async function findOrUndefined<T>(find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await withRetries(find);
  } catch (error) {
    if (isApiError(error, API.streamNotFound, API.consumerNotFound)) return undefined;
    throw error;
  }
}

/** Repeats an idempotent request until the server replies. */
async function withRetries<T>(request: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + REPLY_DEADLINE_MS;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      const isUnanswered = isReinsError(error) && error.code === 'bus_unavailable';
      if (!isUnanswered || performance.now() > giveUpAt) throw error;
      await sleep(RETRY_MS);
    }
  }
}
