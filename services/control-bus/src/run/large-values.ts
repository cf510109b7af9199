import type { JsonObject, JsonValue } from '@reins/contracts';
import {
  type Entry,
  type EntryDraft,
  type LargeValues,
  largeValueOf,
  pendingEffects,
  type RunState,
  withSmallValue as withAnySmallValue,
} from '@reins/journal';

/** What a run begins and ends with stays in the journal of a request: its facts tell it whole, and fit a message. */
const mayLeave = ({ type }: EntryDraft): boolean => type === 'EFFECT_REQUESTED' || type === 'EFFECT_RESOLVED';

/** Whether the journal shall have a part of the draft by reference. */
export function hasLargeValue(draft: EntryDraft): boolean {
  return mayLeave(draft) && largeValueOf(draft) !== undefined;
}

/** The draft as the journal shall have it: large requests and results by reference. */
export async function withSmallValue(draft: EntryDraft, values: LargeValues): Promise<EntryDraft> {
  return mayLeave(draft) ? withAnySmallValue(draft, values) : draft;
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
