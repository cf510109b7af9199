import { type Bus, readSubject, runsWithHeldMessages, type StoredMessage } from '@reins/bus';
import { journalSubject, type RunAddress } from '@reins/contracts';
import type { ArchivePorts } from './archive-runs.ts';

/** A commit as stored in the journal stream. */
export type StoredCommit = Pick<StoredMessage, 'subject' | 'data' | 'seq' | 'time'>;

/** The stream operations that archiving needs. */
export interface ArchiveStreams extends Pick<ArchivePorts, 'purge'> {
  /** When the journal stream was created. A stored position is valid for that stream only. */
  readonly created: () => Promise<string>;
  /** The commits of a partition after this sequence, oldest first. */
  readonly commits: (partition: number, after: number) => AsyncIterable<StoredCommit>;
  /** The time of the oldest message in the partition's inbox, without held ones; undefined when there is none. */
  readonly oldestInInbox: (partition: number) => Promise<Date | undefined>;
  /** The runs of the partition that have held messages. */
  readonly heldRuns: (partition: number) => Promise<readonly RunAddress[]>;
}

const STREAM = 'JOURNAL';

/** The streams of an installation. @param partitions the setting `nats.partitions` */
export function archiveStreams(bus: Bus, partitions: number): ArchiveStreams {
  return {
    created: async () => String((await bus.jsm.streams.info(STREAM)).created),
    commits: (partition, after) => readSubject(bus, STREAM, `journal.${partition}.>`, { fromSeq: after + 1 }),
    oldestInInbox: (partition) => oldestOn(bus, `inbox.${partition}.>`),
    heldRuns: (partition) => runsWithHeldMessages(bus, partition),
    async purge(run, before) {
      await bus.jsm.streams.purge(STREAM, { filter: journalSubject(run, partitions), seq: before });
    },
  };
}

async function oldestOn(bus: Bus, subject: string): Promise<Date | undefined> {
  for await (const { time } of readSubject(bus, 'INBOX', subject, { batch: 1 })) return time;
  return undefined;
}
