import type { BlobRef, JsonObject, JsonValue } from '@reins/contracts';
import { isObject } from '@reins/contracts';
import type { Entry, EntryDraft } from '@reins/journal';

/** Where values lie that are too large for the journal. By content: the same value again is the same blob. */
export interface LargeValues {
  put(value: JsonValue): Promise<BlobRef>;
  get(ref: BlobRef): Promise<JsonValue>;
}

/** Values whose JSON is longer than this many characters go by reference. */
const LARGE = 64 * 1024;
/** Fields of such a value that stay in the journal beside the reference, for whoever folds it: a tree, a verdict, an id. */
const SMALL_FIELD = 1024;

/** The draft as the journal shall have it. */
export async function withSmallValue(draft: EntryDraft, values: LargeValues): Promise<EntryDraft> {
  if (draft.type !== 'EFFECT_RESOLVED' || draft.data.value === undefined) return draft;
  const { value, ...rest } = draft.data;
  if (JSON.stringify(value).length <= LARGE) return draft;
  const kept = isObject(value) ? { value: smallFields(value as JsonObject) } : {};
  return { type: 'EFFECT_RESOLVED', data: { ...rest, ...kept, valueRef: await values.put(value) } };
}

function smallFields(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => (JSON.stringify(field) ?? '').length <= SMALL_FIELD),
  );
}

/** The entry with the whole value, for the process and for the facts. */
export function withWholeValue(entry: Entry, value: JsonValue | undefined): Entry {
  if (entry.type !== 'EFFECT_RESOLVED' || !entry.data.valueRef || value === undefined) return entry;
  const { valueRef: _, ...data } = entry.data;
  return { ...entry, data: { ...data, value } };
}

/** The value that an entry has by reference. */
export async function valueBehind(entry: Entry, values: LargeValues): Promise<JsonValue | undefined> {
  const ref = entry.type === 'EFFECT_RESOLVED' ? entry.data.valueRef : undefined;
  return ref && values.get(ref);
}
