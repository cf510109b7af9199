import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerUpdateConfig, StreamUpdateConfig } from '@nats-io/jetstream';
import { isReinsError, ReinsError } from '@reins/contracts';
import { API, isApiError } from '../connection/api-errors.ts';
import type { Bus } from '../connection/bus.ts';
import { whileConnected } from '../connection/while-connected.ts';
import { differences, formatChanges, type TopologyChange } from './diff.ts';
import { STAGE_WORK_TYPE } from './names.ts';
import { declareTopology, type Topology, type TopologySettings, workerConsumer } from './topology.ts';

/** Who makes streams and buckets: Reins itself, or somebody else who gave Reins no right to. */
export type TopologyManagement = 'self' | 'external';

/** How long a server may leave one request without an answer: a cluster that many services set up at once takes its time. */
const ANSWERED_WITHIN_MS = 60_000;
const AGAIN_MS = 250;

/** One thing to do, and what doing it means. */
interface Step {
  readonly change: TopologyChange;
  readonly apply: () => Promise<unknown>;
}

/**
 * Compares what the server has with what is declared, and makes it so when it is ours to. Answers with what was
 * different.
 * @throws ReinsError `bus_topology_mismatch`: something differs that cannot be changed, or (`external`) anything differs;
 * `bus_unavailable`: the server does not answer
 */
export async function provision(
  bus: Bus,
  options: TopologySettings & { readonly managed: TopologyManagement },
): Promise<TopologyChange[]> {
  const changes = await carryOut(await compare(bus, declareTopology(options)), options.managed);
  bus.singleReplica = options.replicas === 1;
  return changes;
}

/** The durable of a runtime id; it has to be there before a profile may name the runtime. */
export async function provisionRuntime(bus: Bus, runtimeId: string): Promise<TopologyChange[]> {
  const consumers = [workerConsumer(STAGE_WORK_TYPE, runtimeId)];
  return carryOut(await compare(bus, { streams: [], consumers }), 'self');
}

/** What differs, without changing anything: for `doctor`. */
export async function inspectTopology(bus: Bus, settings: TopologySettings): Promise<TopologyChange[]> {
  return (await compare(bus, declareTopology(settings))).map((step) => step.change);
}

async function carryOut(steps: readonly Step[], managed: TopologyManagement): Promise<TopologyChange[]> {
  const changes = steps.map((step) => step.change);
  const refused = managed === 'external' ? changes : changes.filter((change) => change.action === 'conflict');
  if (refused.length > 0) {
    throw new ReinsError({
      code: 'bus_topology_mismatch',
      message: `the NATS server is not set up as needed:\n${formatChanges(refused)}`,
      hint:
        managed === 'external'
          ? 'have the administrator of the NATS server make these changes, or set managed: self'
          : 'remove what is listed, or use another NATS account',
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
  const found = await unlessMissing(bus, () => streams.info(config.name));
  if (!found) {
    const change = { kind, name: config.name, action: 'create', details: [] } as const;
    return { change, apply: () => answered(bus, () => streams.add(config)) };
  }
  const update: Partial<StreamUpdateConfig> = config;
  return difference(kind, config.name, differences(config, found.config), () =>
    answered(bus, () => streams.update(config.name, update)),
  );
}

async function compareConsumer(bus: Bus, { stream, config }: Topology['consumers'][number]): Promise<Step | undefined> {
  const { consumers } = bus.jsm;
  const name = config.durable_name;
  const found = await unlessMissing(bus, () => consumers.info(stream, name));
  if (!found) {
    const change = { kind: 'consumer', name, action: 'create', details: [] } as const;
    return { change, apply: () => answered(bus, () => consumers.add(stream, config)) };
  }
  const update: Partial<ConsumerUpdateConfig> = config;
  return difference('consumer', name, differences(config, found.config), () =>
    answered(bus, () => consumers.update(stream, name, update)),
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

async function unlessMissing<T>(bus: Bus, find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await answered(bus, find);
  } catch (error) {
    if (isApiError(error, API.streamNotFound, API.consumerNotFound)) return undefined;
    throw error;
  }
}

/** Asks until the server says something. What is asked for here is the same when it is asked twice. */
async function answered<T>(bus: Bus, request: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + ANSWERED_WITHIN_MS;
  for (;;) {
    try {
      return await whileConnected(bus, request);
    } catch (error) {
      const unanswered = isReinsError(error) && error.code === 'bus_unavailable';
      if (!unanswered || performance.now() > giveUpAt) throw error;
      await sleep(AGAIN_MS);
    }
  }
}
