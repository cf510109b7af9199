import type { Lease } from '@reins/bus';
import type { RunAddress } from '@reins/contracts';
import { CorruptedJournalError, type JournalStore, type LoadedJournal } from '@reins/journal';

/**
 * Loads a journal for the owner of its partition. The last commit may have a higher epoch than the owner, because the
 * leases were restored from an earlier copy. The epoch of the lease is raised then.
 * @throws the errors of the journal store and of the bus
 */
export async function loadUnder(
  lease: Lease,
  journal: Pick<JournalStore, 'load'>,
  run: RunAddress,
): Promise<LoadedJournal> {
  const raise = async ({ epoch = 0 }: Pick<LoadedJournal, 'epoch'>): Promise<void> => {
    if (epoch > lease.epoch) await lease.raiseEpoch(epoch);
  };
  try {
    const loaded = await journal.load(run);
    await raise(loaded);
    return loaded;
  } catch (error) {
    if (error instanceof CorruptedJournalError) await raise(error.validPrefix);
    throw error;
  }
}
