import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ServiceName } from '../boot/service-definition.ts';

/** A metric, declared once: services, dashboards, alerts and the guide all mean these. */
export interface MetricDefinition {
  readonly name: `reins_${string}`;
  readonly help: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** Who has it. */
  readonly of: ServiceName | 'every service';
  /** Beside `service`, which every series has. */
  readonly labels: readonly string[];
}

/** The bounds of every histogram. */
export const DURATION_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800,
] as const;

const every = 'every service';

export const METRICS = {
  ready: gauge('reins_ready', every, '1 while the service takes work'),
  httpSeconds: histogram('reins_http_request_seconds', every, 'HTTP calls by route', ['method', 'route', 'status']),
  messageSeconds: histogram(
    'reins_message_seconds',
    every,
    'Messages of the bus by type and by what became of them: done, failed (they come again) or dead',
    ['type', 'outcome'],
  ),
  redeliveries: counter('reins_message_redeliveries_total', every, 'Messages that came another time', ['type']),
  publisherInFlight: gauge('reins_publisher_in_flight', every, 'Messages sent and not acknowledged yet'),
  publisherWaiting: gauge('reins_publisher_waiting', every, 'Messages that wait for room in the publish window'),
  openRequests: gauge('reins_gateway_open_requests', 'gateway', 'Requests that this process saw begin and not end'),
  streams: gauge('reins_gateway_streams', 'gateway', 'Clients that are being streamed to'),
  liveRuns: gauge('reins_runs_live', 'control-bus', 'Runs in the memory of this replica'),
  partitions: gauge('reins_partitions_held', 'control-bus', 'Partitions that this replica owns'),
  streamMessages: gauge('reins_stream_messages', 'control-bus', 'Messages of a stream, as its leader tells', [
    'stream',
  ]),
  streamBytes: gauge('reins_stream_bytes', 'control-bus', 'Bytes of a stream, as its leader tells', ['stream']),
  streamFill: gauge(
    'reins_stream_fill_ratio',
    'control-bus',
    'How much of what a stream that refuses what does not fit, or the account, may hold is used; absent where nothing bounds it',
    ['stream'],
  ),
  consumerPending: gauge(
    'reins_consumer_pending',
    'control-bus',
    'Messages that wait for a consumer, as its leader tells',
    ['stream', 'consumer'],
  ),
  consumerUnacknowledged: gauge(
    'reins_consumer_unacknowledged',
    'control-bus',
    'Messages that were handed out and are not acknowledged, as the leader tells',
    ['stream', 'consumer'],
  ),
  deadMessages: gauge('reins_dead_messages', 'control-bus', 'Messages in DEAD'),
  hostSlots: gauge('reins_host_slots', 'harness-host', 'Stages that this host may run at once'),
  hostStages: gauge('reins_host_stages', 'harness-host', 'Stages that run: places taken, each under a claim'),
  hostClaims: gauge(
    'reins_host_claims',
    'harness-host',
    'Claims that this host keeps alive: on stages that run, and on ones that wait beside',
  ),
  hostExecutors: gauge('reins_host_executors', 'harness-host', 'Executor processes: warm or used', ['state']),
  projectorLagEvents: gauge('reins_projector_lag_events', 'projector', 'Messages of the log not projected yet'),
  projectorLagSeconds: gauge(
    'reins_projector_lag_seconds',
    'projector',
    'Age of the oldest message that is not projected yet',
  ),
  projectorSequence: gauge('reins_projector_sequence', 'projector', 'Sequence of the last message projected'),
  projectorMessages: counter(
    'reins_projector_messages_total',
    'projector',
    'Messages of the log by what became of them: applied, duplicate or unreadable',
    ['outcome'],
  ),
  projectorBatchSeconds: histogram('reins_projector_batch_seconds', 'projector', 'Time of one transaction', []),
  projectorGaps: counter('reins_projector_gaps_total', 'projector', 'Times that the log no longer had what came next', [
    'reason',
  ]),
} as const satisfies Record<string, MetricDefinition>;

/** A gauge that is read when somebody looks. */
export function newGauge(registry: Registry, { name, help }: MetricDefinition, value: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(value());
    },
  });
}

/** A gauge with labels, of which all series are told anew when somebody looks. */
export function newLabelledGauge(
  registry: Registry,
  { name, help, labels }: MetricDefinition,
  series: () => Iterable<readonly [Readonly<Record<string, string>>, number]>,
): void {
  new Gauge({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    collect() {
      this.reset();
      for (const [of, value] of series()) this.set(of, value);
    },
  });
}

export function newCounter(registry: Registry, { name, help, labels }: MetricDefinition): Counter {
  return new Counter({ name, help, labelNames: [...labels], registers: [registry] });
}

export function newHistogram(registry: Registry, { name, help, labels }: MetricDefinition): Histogram {
  return new Histogram({ name, help, labelNames: [...labels], buckets: [...DURATION_BUCKETS], registers: [registry] });
}

type Name = MetricDefinition['name'];

function gauge<const N extends Name>(
  name: N,
  of: MetricDefinition['of'],
  help: string,
  labels: readonly string[] = [],
) {
  return { name, of, help, labels, kind: 'gauge' } as const;
}

function counter<const N extends Name>(name: N, of: MetricDefinition['of'], help: string, labels: readonly string[]) {
  return { name, of, help, labels, kind: 'counter' } as const;
}

function histogram<const N extends Name>(name: N, of: MetricDefinition['of'], help: string, labels: readonly string[]) {
  return { name, of, help, labels, kind: 'histogram' } as const;
}
