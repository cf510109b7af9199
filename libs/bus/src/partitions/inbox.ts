import { AckPolicy, type ConsumerInfo, DeliverPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import { parseInboxSubject, ReinsError } from '@reins/contracts';
import { API, isApiError } from '../connection/api-errors.ts';
import type { Bus } from '../connection/bus.ts';
import { consume } from '../consume/consume.ts';
import type { Consumption } from '../consume/consumption.ts';
import type { BusMessage } from '../consume/message.ts';
import type { ConsumeOptions } from '../consume/options.ts';
import { crashPoint } from '../crash/crash-points.ts';
import type { Lease } from './lease.ts';

const STREAM = 'INBOX';
const ACK_WAIT_MS = 5_000;
const MAX_ACK_PENDING = 10_000;
const DURABLE = /^p(\d+)-e(\d+)$/;

/** Verifies leases during the takeover. `PartitionLeases` implements it. */
export interface LeaseVerifier {
  verify(lease: Lease): Promise<boolean>;
}

export interface InboxOptions
  extends Omit<ConsumeOptions, 'stream' | 'durable' | 'orderBy' | 'suspectUntil' | 'crashName'> {
  readonly lease: Lease;
  readonly leases: LeaseVerifier;
}

/** Durable name for one ownership of a partition. */
export const inboxDurable = ({ partition, epoch }: Pick<Lease, 'partition' | 'epoch'>): string =>
  `p${partition}-e${epoch}`;

/** The run that an inbox message belongs to. A subject that does not match the grammar is its own key. */
function inboxRunId({ subject }: BusMessage): string {
  return parseInboxSubject(subject)?.runId ?? subject;
}

/**
 * Takes over a partition's inbox and consumes it, in order per run. The takeover deletes the durables of earlier
 * epochs, so that a former owner that wakes up receives nothing. The consumption ends immediately when the lease is
 * lost.
 * @throws ReinsError `bus_lease_lost`
 */
export async function consumeInbox(bus: Bus, options: InboxOptions): Promise<Consumption> {
  const { lease, leases, ...rest } = options;
  const { durable, suspectUntil } = await takeOver(bus, lease, leases);
  const crashName = `inbox-p${lease.partition}`;
  const consumption = await consume(bus, {
    ...rest,
    stream: STREAM,
    durable,
    suspectUntil,
    crashName,
    orderBy: inboxRunId,
  });
  if (lease.signal.aborted) consumption.abandon();
  else lease.signal.addEventListener('abort', () => consumption.abandon(), { once: true });
  return consumption;
}

interface Takeover {
  readonly durable: string;
  /** Messages that the former owner received and did not acknowledge have at most this sequence. */
  readonly suspectUntil: number;
}

async function takeOver(bus: Bus, lease: Lease, leases: LeaseVerifier): Promise<Takeover> {
  let suspectUntil = 0;
  for (;;) {
    if (!(await leases.verify(lease))) throw leaseLost(lease);
    for (const former of await formerOwners(bus, lease)) {
      // After a graceful shutdown nothing is pending. What a crashed owner left may have crashed it.
      if (former.num_ack_pending > 0) suspectUntil = Math.max(suspectUntil, former.delivered.stream_seq);
      await remove(bus, former.name);
      crashPoint('durable.deleted');
    }
    const durable = inboxDurable(lease);
    if (await create(bus, durable, lease.partition)) return { durable, suspectUntil };
  }
}

/** Lists the durables of this partition with lower epochs. @throws ReinsError `bus_lease_lost` for a higher epoch */
async function formerOwners(bus: Bus, lease: Lease): Promise<ConsumerInfo[]> {
  const former: ConsumerInfo[] = [];
  for await (const info of bus.jsm.consumers.list(STREAM)) {
    const [, partition, epoch] = DURABLE.exec(info.name) ?? [];
    if (Number(partition) !== lease.partition) continue;
    if (Number(epoch) >= lease.epoch) await lease.raiseEpoch(Number(epoch));
    if (Number(epoch) >= lease.epoch) throw leaseLost(lease);
    former.push(info);
  }
  return former;
}

async function remove(bus: Bus, durable: string): Promise<void> {
  try {
    await bus.jsm.consumers.delete(STREAM, durable);
  } catch (error) {
    if (!isApiError(error, API.consumerNotFound)) throw error;
  }
}

/** Creates the durable. Resolves to false when another durable of the partition exists. */
async function create(bus: Bus, durable: string, partition: number): Promise<boolean> {
  try {
    await bus.jsm.consumers.add(STREAM, {
      durable_name: durable,
      filter_subject: `inbox.${partition}.>`,
      deliver_policy: DeliverPolicy.All,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: MAX_ACK_PENDING,
      max_deliver: -1,
    });
    return true;
  } catch (error) {
    if (isApiError(error, API.workQueueConsumerNotUnique, API.workQueueMultipleUnfiltered)) return false;
    throw error;
  }
}

const leaseLost = (lease: Lease): ReinsError =>
  new ReinsError({
    code: 'bus_lease_lost',
    message: `the lease of partition ${lease.partition} (epoch ${lease.epoch}) was lost`,
  });
