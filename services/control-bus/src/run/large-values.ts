import { type BlobRef, isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import { type Entry, type EntryDraft, pendingEffects, type RunState } from '@reins/journal';

/** Where values lie that are too large for the journal. By content: the same value again is the same blob. */
export interface LargeValues {
  put(value: JsonValue): Promise<BlobRef>;
  get(ref: BlobRef): Promise<JsonValue>;
}

/** Values whose JSON is longer than this many characters go by reference. */
const LARGE = 64 * 1024;
/** Fields of such a value that stay in the journal beside the reference, for whoever folds it: a tree, a verdict, an id. */
const SMALL_FIELD = 1024;

/** Whether the journal shall have a part of the draft by reference. */
export function hasLargeValue(draft: EntryDraft): boolean {
  if (draft.type === 'EFFECT_REQUESTED') return isLarge(draft.data.request);
  return draft.type === 'EFFECT_RESOLVED' && draft.data.value !== undefined && isLarge(draft.data.value);
}

/** The draft as the journal shall have it: large requests and results by reference. */
export async function withSmallValue(draft: EntryDraft, values: LargeValues): Promise<EntryDraft> {
  if (draft.type === 'EFFECT_REQUESTED' && isLarge(draft.data.request)) {
    const { request, ...rest } = draft.data;
    const requestRef = await values.put(request);
    return { type: 'EFFECT_REQUESTED', data: { ...rest, request: smallFields(request), requestRef } };
  }
  if (draft.type !== 'EFFECT_RESOLVED' || draft.data.value === undefined || !isLarge(draft.data.value)) return draft;
  const { value, ...rest } = draft.data;
  const kept = isObject(value) ? { value: smallFields(value as JsonObject) } : {};
  return { type: 'EFFECT_RESOLVED', data: { ...rest, ...kept, valueRef: await values.put(value) } };
}

const isLarge = (value: JsonValue): boolean => JSON.stringify(value).length > LARGE;

function smallFields(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => (JSON.stringify(field) ?? '').length <= SMALL_FIELD),
  );
}

/** The entry with what its draft had, for the process and for the facts. */
export function asDrafted(entry: Entry, draft: EntryDraft | undefined): Entry {
  if (entry.type === 'EFFECT_REQUESTED' && draft?.type === 'EFFECT_REQUESTED')
    return withRequest(entry, draft.data.request);
  return entry.type === 'EFFECT_RESOLVED' && draft?.type === 'EFFECT_RESOLVED'
    ? withValue(entry, draft.data.value)
    : entry;
}

/** The entry with what it has by reference. */
export async function fetched(entry: Entry, values: LargeValues): Promise<Entry> {
  if (entry.type === 'EFFECT_REQUESTED' && entry.data.requestRef)
    return withRequest(entry, (await values.get(entry.data.requestRef)) as JsonObject);
  return entry.type === 'EFFECT_RESOLVED' && entry.data.valueRef
    ? withValue(entry, await values.get(entry.data.valueRef))
    : entry;
}

/** Whatever is pending has its whole request: its next attempt is asked with that. */
export async function fetchRequests(state: RunState, values: LargeValues): Promise<void> {
  for (const effect of pendingEffects(state)) {
    if (!effect.requestRef) continue;
    // What differs in the current attempt is small.
    effect.request = { ...((await values.get(effect.requestRef)) as JsonObject), ...effect.request };
  }
}

const withRequest = (entry: Entry<'EFFECT_REQUESTED'>, request: JsonObject): Entry =>
  entry.data.requestRef ? { ...entry, data: { ...entry.data, request } } : entry;

function withValue(entry: Entry<'EFFECT_RESOLVED'>, value: JsonValue | undefined): Entry {
  if (!entry.data.valueRef || value === undefined) return entry;
  const { valueRef: _, ...data } = entry.data;
  return { ...entry, data: { ...data, value } };
}
