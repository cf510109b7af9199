import { type Bus, readSubject, type StoredMessage } from '@reins/bus';
import { journalSubject } from '@reins/contracts';
import type { ArchivePorts } from './archive-runs.ts';

/** A commit where it lies in the journal stream. */
export type StoredCommit = Pick<StoredMessage, 'subject' | 'data' | 'seq' | 'time'>;

/** What archiving sees of the streams, and does to them. */
export interface ArchiveStreams extends Pick<ArchivePorts, 'purge'> {
  /** When the journal stream was made: what is noted about one says nothing about another. */
  readonly created: () => Promise<string>;
  /** The commits of a partition that stand behind this sequence, oldest first. */
  readonly commits: (partition: number, after: number) => AsyncIterable<StoredCommit>;
  /** When the oldest message came that still lies in the partition's inbox; undefined when none does. */
  readonly oldestInInbox: (partition: number) => Promise<Date | undefined>;
}

const STREAM = 'JOURNAL';

/** The streams of an installation. @param partitions its setting `nats.partitions` */
export function archiveStreams(bus: Bus, partitions: number): ArchiveStreams {
  return {
    created: async () => String((await bus.jsm.streams.info(STREAM)).created),
    commits: (partition, after) => readSubject(bus, STREAM, `journal.${partition}.>`, { fromSeq: after + 1 }),
    async oldestInInbox(partition) {
      for await (const { time } of readSubject(bus, 'INBOX', `inbox.${partition}.>`, { batch: 1 })) return time;
      return undefined;
    },
    async purge(run, before) {
      await bus.jsm.streams.purge(STREAM, { filter: journalSubject(run, partitions), seq: before });
    },
  };
}
