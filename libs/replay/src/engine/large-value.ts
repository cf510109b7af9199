import type { BlobRef, JsonValue } from '@reins/contracts';
import type { CoroutineOptions } from './turn.ts';

/** A value that an entry has by reference. */
export async function loadValue(options: Pick<CoroutineOptions, 'loadValue'>, ref: BlobRef): Promise<JsonValue> {
  if (!options.loadValue)
    throw new Error(`the value ${ref.sha256} lies outside of the journal, and nothing was given to load it`);
  return options.loadValue(ref);
}
