import { Blobs, type Bus } from '@reins/bus';
import { loadThroughArchive } from '../archive/load-through-archive.ts';
import type { JournalStore } from '../store/journal-store.ts';
import { streamJournalLoader } from '../store/stream-store.ts';
import { journalReader } from './journal-port.ts';

export interface BusJournalsOptions {
  /** The setting `nats.partitions` of the installation. */
  readonly partitions: number;
}

/** Read access to the journals of an installation: to verify, replay, fork or export a run. */
export interface BusJournals extends Pick<JournalStore, 'load'> {
  /** The blobs that entries refer to. */
  readonly blobs: Blobs;
}

/** Opens the journals of live, ended and archived runs for reading. */
export async function openBusJournals(bus: Bus, { partitions }: BusJournalsOptions): Promise<BusJournals> {
  const [blobs, archive] = await Promise.all([Blobs.open(bus), Blobs.open(bus, 'archive')]);
  const load = streamJournalLoader({ read: journalReader(bus, blobs) }, { partitions });
  return { load: loadThroughArchive(load, (ref) => archive.get(ref)), blobs };
}
