import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ServiceName } from '../boot/service-definition.ts';

/** Declaration of a metric. Services, dashboards, alerts and documentation all use it. */
export interface MetricDefinition {
  readonly name: `reins_${string}`;
  readonly help: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** The service that exports it. */
  readonly service: ServiceName | 'every service';
  /** Labels in addition to `service`, which every series has. */
  readonly labels: readonly string[];
  /** Bucket bounds of a histogram; by default durations in seconds. */
  readonly buckets?: readonly number[];
  /** The name, unit and labels that OpenTelemetry defines for this metric. OTLP exports it with these. */
  readonly semantic?: SemanticMetric;
}

export interface SemanticMetric {
  readonly name: string;
  readonly unit: string;
  /** The attribute of each label. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Bucket bounds of every histogram, in seconds. */
export const DURATION_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800,
] as const;

/** The bucket bounds that OpenTelemetry recommends for tokens. */
const TOKEN_BUCKETS = Array.from({ length: 13 }, (_, index) => 4 ** index);

/** The attributes of OpenTelemetry's metrics of calls to a model. */
const MODEL_ATTRIBUTES = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  model: 'gen_ai.request.model',
} as const;
const MODEL_LABELS = Object.keys(MODEL_ATTRIBUTES) as (keyof typeof MODEL_ATTRIBUTES)[];

const every = 'every service';

export const METRICS = {
  ready: gauge('reins_ready', every, '1 while the service takes work'),
  httpSeconds: histogram('reins_http_request_seconds', every, 'HTTP calls by route', ['method', 'route', 'status']),
  messageSeconds: histogram(
    'reins_message_seconds',
    every,
    'Bus messages by type and outcome: done, failed (will be retried) or dead',
    ['type', 'outcome'],
  ),
  redeliveries: counter('reins_message_redeliveries_total', every, 'Redelivered messages', ['type']),
  publisherInFlight: gauge('reins_publisher_in_flight', every, 'Messages sent and not yet acknowledged'),
  publisherWaiting: gauge('reins_publisher_waiting', every, 'Messages waiting for room in the publish window'),
  openRequests: gauge('reins_gateway_open_requests', 'gateway', 'Requests that this process saw start and not end'),
  streams: gauge('reins_gateway_streams', 'gateway', 'Clients with an open event stream'),
  liveRuns: gauge('reins_runs_live', 'control-bus', 'Runs held in memory by this replica'),
  repairs: counter(
    'reins_repairs_total',
    'control-bus',
    'Repairs after a stream lost messages: missing facts, damaged and ended runs, and places in sessions',
    ['kind'],
  ),
  expired: counter(
    'reins_expired_total',
    'control-bus',
    'What expired: runs, sessions, requests that never got a run, and unused objects by their store',
    ['kind'],
  ),
  partitions: gauge('reins_partitions_held', 'control-bus', 'Partitions that this replica owns'),
  streamMessages: gauge('reins_stream_messages', 'control-bus', 'Messages in a stream, as reported by its leader', [
    'stream',
  ]),
  streamBytes: gauge('reins_stream_bytes', 'control-bus', 'Bytes in a stream, as reported by its leader', ['stream']),
  streamFill: gauge(
    'reins_stream_fill_ratio',
    'control-bus',
    'Used share of the limit of the account, or of a stream that rejects new messages when full; absent without a limit',
    ['stream'],
  ),
  consumerPending: gauge(
    'reins_consumer_pending',
    'control-bus',
    'Messages waiting for a consumer, as reported by its leader',
    ['stream', 'consumer'],
  ),
  consumerUnacknowledged: gauge(
    'reins_consumer_unacknowledged',
    'control-bus',
    'Messages delivered and not yet acknowledged, as reported by the leader',
    ['stream', 'consumer'],
  ),
  deadMessages: gauge('reins_dead_messages', 'control-bus', 'Messages in DEAD'),
  hostSlots: gauge('reins_host_slots', 'harness-host', 'Maximum number of concurrent stages of this host'),
  hostStages: gauge('reins_host_stages', 'harness-host', 'Running stages: slots in use, each with a claim'),
  hostClaims: gauge(
    'reins_host_claims',
    'harness-host',
    'Claims that this host keeps alive, for running and for waiting stages',
  ),
  hostExecutors: gauge('reins_host_executors', 'harness-host', 'Executor processes: warm or used', ['state']),
  modelSeconds: {
    ...histogram('reins_model_call_seconds', 'harness-host', 'Model calls; error is empty for a success', [
      ...MODEL_LABELS,
      'error',
    ]),
    semantic: {
      name: 'gen_ai.client.operation.duration',
      unit: 's',
      attributes: { ...MODEL_ATTRIBUTES, error: 'error.type' },
    },
  },
  modelFirstTokenSeconds: {
    ...histogram(
      'reins_model_first_token_seconds',
      'harness-host',
      'Time until the first text, reasoning or tool call of a streamed answer',
      MODEL_LABELS,
    ),
    semantic: { name: 'gen_ai.client.operation.time_to_first_chunk', unit: 's', attributes: MODEL_ATTRIBUTES },
  },
  modelTokens: {
    ...histogram(
      'reins_model_call_tokens',
      'harness-host',
      'Tokens of a model call by type: input (with the cached ones), cached or output',
      [...MODEL_LABELS, 'type'],
    ),
    buckets: TOKEN_BUCKETS,
    semantic: {
      name: 'gen_ai.client.token.usage',
      unit: '{token}',
      attributes: { ...MODEL_ATTRIBUTES, type: 'gen_ai.token.type' },
    },
  },
  modelCost: counter(
    'reins_model_cost_dollars_total',
    'harness-host',
    'Cost of model calls in US dollars, without calls whose price is unknown',
    MODEL_LABELS,
  ),
  runsEnded: counter('reins_runs_ended_total', 'projector', 'Runs that ended, child runs included', ['outcome']),
  stageSeconds: histogram('reins_stage_seconds', 'projector', 'Stage runs from their start to their end', [
    'stage',
    'runtime',
    'outcome',
  ]),
  runsWaiting: gauge('reins_runs_waiting', 'projector', 'Runs that wait', ['reason']),
  runsWaitingSeconds: gauge('reins_runs_waiting_seconds', 'projector', 'How long the oldest of these runs waits', [
    'reason',
  ]),
  projectorLagEvents: gauge('reins_projector_lag_events', 'projector', 'Messages of the event log not yet projected'),
  projectorLagSeconds: gauge('reins_projector_lag_seconds', 'projector', 'Age of the oldest message not yet projected'),
  projectorSequence: gauge('reins_projector_sequence', 'projector', 'Sequence of the last message projected'),
  projectorMessages: counter(
    'reins_projector_messages_total',
    'projector',
    'Messages of the event log by outcome: applied, duplicate or unreadable',
    ['outcome'],
  ),
  projectorBatchSeconds: histogram('reins_projector_batch_seconds', 'projector', 'Duration of one transaction', []),
  projectorGaps: counter(
    'reins_projector_gaps_total',
    'projector',
    'Gaps: the event log no longer had the next message',
    ['reason'],
  ),
  narratorGaps: counter('reins_narrator_gaps_total', 'narrator', 'Gaps: the event log no longer had the next message', [
    'reason',
  ]),
  gatewayGaps: counter(
    'reins_gateway_gaps_total',
    'gateway',
    'Gaps: a stream of events no longer had the next message',
    ['reason'],
  ),
  memoryGaps: counter('reins_memory_gaps_total', 'memory', 'Gaps: the memory stream was replaced or rolled back', [
    'reason',
  ]),
} as const satisfies Record<string, MetricDefinition>;

/** Registers a gauge whose value is read at each scrape. */
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

/** Registers a gauge with labels whose series are all read at each scrape. */
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
      for (const [seriesLabels, value] of series()) this.set(seriesLabels, value);
    },
  });
}

export function newCounter(registry: Registry, { name, help, labels }: MetricDefinition): Counter {
  return new Counter({ name, help, labelNames: [...labels], registers: [registry] });
}

export function newHistogram(registry: Registry, definition: MetricDefinition): Histogram {
  const { name, help, labels, buckets = DURATION_BUCKETS } = definition;
  return new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [registry] });
}

type Name = MetricDefinition['name'];

function gauge<const N extends Name>(
  name: N,
  service: MetricDefinition['service'],
  help: string,
  labels: readonly string[] = [],
) {
  return { name, service, help, labels, kind: 'gauge' } as const;
}

function counter<const N extends Name>(
  name: N,
  service: MetricDefinition['service'],
  help: string,
  labels: readonly string[],
) {
  return { name, service, help, labels, kind: 'counter' } as const;
}

function histogram<const N extends Name>(
  name: N,
  service: MetricDefinition['service'],
  help: string,
  labels: readonly string[],
) {
  return { name, service, help, labels, kind: 'histogram' } as const;
}
