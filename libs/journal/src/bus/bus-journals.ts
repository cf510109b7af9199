import { Blobs, type Bus } from '@reins/bus';
import { loadThroughArchive } from '../archive/archived-store.ts';
import type { JournalStore } from '../store/journal-store.ts';
import { streamJournalLoader } from '../store/stream-store.ts';
import { journalReader } from './journal-port.ts';

export interface BusJournalsOptions {
  /** The setting `nats.partitions` of the installation. */
  readonly partitions: number;
}

/** The journals of an installation, for those who only read them: to verify, replay, fork or export a run. */
export interface BusJournals extends Pick<JournalStore, 'load'> {
  /** Where what the entries have by reference lies. */
  readonly blobs: Blobs;
}

/** Reads the journals of runs that live, that ended, and that have left for the archive: who reads does not notice. */
export async function openBusJournals(bus: Bus, { partitions }: BusJournalsOptions): Promise<BusJournals> {
  const [blobs, archive] = await Promise.all([Blobs.open(bus), Blobs.open(bus, 'archive')]);
  const load = streamJournalLoader({ read: journalReader(bus, blobs) }, { partitions });
  return { load: loadThroughArchive(load, (ref) => archive.get(ref)), blobs };
}
