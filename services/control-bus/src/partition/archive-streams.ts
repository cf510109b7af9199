import { type Bus, readSubject, type StoredMessage } from '@reins/bus';
import { journalSubject } from '@reins/contracts';
import type { ArchivePorts } from './archive-runs.ts';

/** A commit as stored in the journal stream. */
export type StoredCommit = Pick<StoredMessage, 'subject' | 'data' | 'seq' | 'time'>;

/** The stream operations that archiving needs. */
export interface ArchiveStreams extends Pick<ArchivePorts, 'purge'> {
  /** When the journal stream was created. A stored position is valid for that stream only. */
  readonly created: () => Promise<string>;
  /** The commits of a partition after this sequence, oldest first. */
  readonly commits: (partition: number, after: number) => AsyncIterable<StoredCommit>;
  /** The time of the oldest message in the partition's inbox, held ones included; undefined when there is none. */
  readonly oldestInInbox: (partition: number) => Promise<Date | undefined>;
}

const STREAM = 'JOURNAL';

/** The streams of an installation. @param partitions the setting `nats.partitions` */
export function archiveStreams(bus: Bus, partitions: number): ArchiveStreams {
  return {
    created: async () => String((await bus.jsm.streams.info(STREAM)).created),
    commits: (partition, after) => readSubject(bus, STREAM, `journal.${partition}.>`, { fromSeq: after + 1 }),
    async oldestInInbox(partition) {
      const times = await Promise.all(['inbox', 'held'].map((root) => oldestOn(bus, `${root}.${partition}.>`)));
      return times.filter((time) => time !== undefined).sort((a, b) => a.getTime() - b.getTime())[0];
    },
    async purge(run, before) {
      await bus.jsm.streams.purge(STREAM, { filter: journalSubject(run, partitions), seq: before });
    },
  };
}

async function oldestOn(bus: Bus, subject: string): Promise<Date | undefined> {
  for await (const { time } of readSubject(bus, 'INBOX', subject, { batch: 1 })) return time;
  return undefined;
}
