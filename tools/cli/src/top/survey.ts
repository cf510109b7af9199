import { type Bus, openBucket, STAGE_WORK_TYPE, workerDurable } from '@reins/bus';
import { type HarnessOffer, type ParkedRun, parkedKeys } from '@reins/contracts';

/** A durable consumer and its pending work. */
export interface Queue {
  readonly stream: string;
  readonly name: string;
  /** Messages not delivered yet. */
  readonly waiting: number;
  /** Messages delivered but not acknowledged. */
  readonly in_work: number;
  /** Messages in work that were delivered more than once. */
  readonly redelivered: number;
}

/** The hosts of one runtime. */
export interface Pool {
  readonly runtime_id: string;
  readonly hosts: number;
  readonly healthy: number;
  readonly slots: number;
  readonly in_work: number;
  readonly waiting: number;
}

/** The fill level of a stream. */
export interface StreamFill {
  readonly stream: string;
  readonly messages: number;
  readonly bytes: number;
  /** Percentage of the byte limit; absent for a stream without a limit. */
  readonly filled_percent?: number;
}

/** A request whose messages keep failing. */
export interface ParkedRequest {
  readonly request_id: string;
  readonly workspace_id: string;
  readonly code: string;
  readonly message: string;
  readonly since: string;
  readonly tries: number;
}

export interface Survey {
  readonly queues: readonly Queue[];
  readonly pools: readonly Pool[];
  readonly streams: readonly StreamFill[];
  readonly dead_letters: number;
  /** Longest parked first. */
  readonly parked_requests: readonly ParkedRequest[];
}

const CONSUMED = ['EVENTS', 'INBOX', 'COMMANDS'] as const;
const FILLED = ['EVENTS', 'JOURNAL', 'INBOX', 'DEAD'] as const;

/** Collects pending and running work from the stream and consumer state of the bus. */
export async function survey(bus: Bus): Promise<Survey> {
  const [queues, offers, streams, parked_requests] = await Promise.all([
    queuesOf(bus),
    offersOf(bus),
    streamsOf(bus),
    parkedOf(bus),
  ]);
  const dead = streams.find(({ stream }) => stream === 'DEAD');
  return { queues, pools: poolsOf(offers, queues), streams, dead_letters: dead?.messages ?? 0, parked_requests };
}

async function parkedOf(bus: Bus): Promise<ParkedRequest[]> {
  const bucket = await openBucket<ParkedRun>(bus, 'positions');
  const entries = await Promise.all((await bucket.keys(parkedKeys())).map((key) => bucket.get(key)));
  return entries
    .flatMap((entry) => (entry ? [entry.value] : []))
    .map(({ requestId, workspaceId, code, message, since, tries }) => ({
      request_id: requestId,
      workspace_id: workspaceId,
      code,
      message,
      since,
      tries,
    }))
    .sort((a, b) => a.since.localeCompare(b.since));
}

async function queuesOf(bus: Bus): Promise<Queue[]> {
  const queues: Queue[] = [];
  for (const stream of CONSUMED)
    for await (const { name, config, num_pending, num_ack_pending, num_redelivered } of bus.jsm.consumers.list(stream))
      if (config.durable_name)
        queues.push({
          stream,
          name,
          waiting: num_pending,
          in_work: num_ack_pending,
          redelivered: num_redelivered,
        });
  return queues.sort((a, b) => `${a.stream} ${a.name}`.localeCompare(`${b.stream} ${b.name}`));
}

async function offersOf(bus: Bus): Promise<HarnessOffer[]> {
  const bucket = await openBucket<HarnessOffer>(bus, 'harnesses');
  const entries = await Promise.all((await bucket.keys()).map((key) => bucket.get(key)));
  return entries.flatMap((entry) => (entry ? [entry.value] : []));
}

async function streamsOf(bus: Bus): Promise<StreamFill[]> {
  return Promise.all(
    FILLED.map(async (stream) => {
      const { state, config } = await bus.jsm.streams.info(stream);
      const limited = config.max_bytes > 0;
      const filled = limited ? { filled_percent: Math.round((1000 * state.bytes) / config.max_bytes) / 10 } : {};
      return { stream, messages: state.messages, bytes: state.bytes, ...filled };
    }),
  );
}

/** Groups offers by runtime and adds the pending work of each. */
export function poolsOf(offers: readonly HarnessOffer[], queues: readonly Queue[]): Pool[] {
  return [...Map.groupBy(offers, ({ runtimeId }) => runtimeId)]
    .map(([runtime_id, own]) => {
      const queue = queues.find(({ name }) => name === workerDurable(STAGE_WORK_TYPE, runtime_id));
      const healthy = own.filter((offer) => offer.healthy);
      return {
        runtime_id,
        hosts: own.length,
        healthy: healthy.length,
        slots: healthy.reduce((sum, { slots }) => sum + slots, 0),
        in_work: queue?.in_work ?? 0,
        waiting: queue?.waiting ?? 0,
      };
    })
    .sort((a, b) => a.runtime_id.localeCompare(b.runtime_id));
}
