import type { BlobRef, JsonValue } from '@reins/contracts';
import type { CoroutineOptions } from './turn.ts';

/** Loads a value that an entry has by reference. */
export async function loadValue(options: Pick<CoroutineOptions, 'loadValue'>, ref: BlobRef): Promise<JsonValue> {
  if (!options.loadValue) throw new Error(`the value ${ref.sha256} is not in the journal, and loadValue is not set`);
  return options.loadValue(ref);
}
