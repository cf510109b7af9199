import type { JsonValue, RunAddress } from '@reins/contracts';
import { type Entry, exportJournal, type LargeValues, type ProcessCode, referencedValues } from '@reins/journal';

/** A journal, packed with its values and its code for `journal export`. */
export interface PackedJournal {
  readonly run: RunAddress;
  readonly entries: readonly Entry[];
  readonly bytes: Uint8Array;
}

interface Recorded {
  readonly run: RunAddress;
  readonly entries: readonly Entry[];
  readonly values: Pick<LargeValues, 'get'>;
}

/** Packs a journal with the large values that it refers to. */
export async function packed(
  { run, entries, values: source }: Recorded,
  code: readonly ProcessCode[],
): Promise<PackedJournal> {
  const values: Record<string, JsonValue> = {};
  for (const ref of referencedValues(entries)) values[ref.sha256] = await source.get(ref);
  return { run, entries, bytes: exportJournal(run, entries, values, code) };
}
