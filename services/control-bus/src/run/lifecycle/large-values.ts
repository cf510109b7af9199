import type { JsonObject, JsonValue } from '@reins/contracts';
import {
  type Entry,
  type EntryDraft,
  type LargeValues,
  largeValueOf,
  offloadLargeValue as offloadAnyLargeValue,
  pendingEffects,
  type RunState,
} from '@reins/journal';

/** Only requests and results of effects may be stored as blobs. A run's inputs and output stay in its journal. */
const canBeStoredAsBlob = ({ type }: EntryDraft): boolean => type === 'EFFECT_REQUESTED' || type === 'EFFECT_RESOLVED';

/** Whether a part of the draft has to be stored as a blob. */
export function hasLargeValue(draft: EntryDraft): boolean {
  return canBeStoredAsBlob(draft) && largeValueOf(draft) !== undefined;
}

/** Stores a large request or result as a blob, and returns the draft with a reference to it. */
export async function offloadLargeValue(draft: EntryDraft, values: LargeValues): Promise<EntryDraft> {
  return canBeStoredAsBlob(draft) ? offloadAnyLargeValue(draft, values) : draft;
}

/** The entry with the full value of its draft, for the process and for facts. */
export function withDraftedValue(entry: Entry, draft: EntryDraft | undefined): Entry {
  if (entry.type === 'EFFECT_REQUESTED' && draft?.type === 'EFFECT_REQUESTED')
    return withRequest(entry, draft.data.request);
  return entry.type === 'EFFECT_RESOLVED' && draft?.type === 'EFFECT_RESOLVED'
    ? withValue(entry, draft.data.value)
    : entry;
}

/** The entry with referenced blobs loaded. */
export async function withStoredValue(entry: Entry, values: LargeValues): Promise<Entry> {
  if (entry.type === 'EFFECT_REQUESTED' && entry.data.requestRef)
    return withRequest(entry, (await values.get(entry.data.requestRef)) as JsonObject);
  return entry.type === 'EFFECT_RESOLVED' && entry.data.valueRef
    ? withValue(entry, await values.get(entry.data.valueRef))
    : entry;
}

/** Loads the full requests of pending effects, because their next attempts need them. */
export async function fetchRequests(state: RunState, values: LargeValues): Promise<void> {
  for (const effect of pendingEffects(state)) {
    if (!effect.requestRef) continue;
    // Fields that the current attempt changed are small, and override the stored request.
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
