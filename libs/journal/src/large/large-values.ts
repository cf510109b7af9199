import { type BlobRef, defined, isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import type { EntryDraft } from '../entries/entry.ts';

/** Content-addressed store for values that are too large for the journal. */
export interface LargeValues {
  /** The value is durable when this returns. The entry that references it is appended afterwards. */
  put(value: JsonValue): Promise<BlobRef>;
  get(ref: BlobRef): Promise<JsonValue>;
  /** The path of the file with the arguments of an effect, if they have one of their own. The entry records it. */
  argumentsAt?(effectId: string, args: JsonValue): string | undefined;
}

/** Values whose JSON is longer than this many characters are stored by reference. */
const LARGE = 64 * 1024;
/**
 * Fields of a large value up to this length stay in the entry next to the reference, for code that folds it: a tree, a
 * verdict, an id.
 */
const SMALL_FIELD = 1024;

/**
 * The large part of a draft: a request, a result, or the inputs or the output of a run. Undefined when none is large.
 */
export function largeValueOf(draft: EntryDraft): JsonValue | undefined {
  const value = partOf(draft);
  return value !== undefined && isLarge(value) ? value : undefined;
}

/** Whether the journal stores the value by reference. */
export const isLarge = (value: JsonValue): boolean => JSON.stringify(value).length > LARGE;

function partOf({ type, data }: EntryDraft): JsonValue | undefined {
  switch (type) {
    case 'EFFECT_REQUESTED':
      return data.requestRef ? undefined : data.request;
    case 'EFFECT_RESOLVED':
      return data.valueRef ? undefined : data.value;
    case 'RUN_CREATED':
    case 'PROCESS_ASSIGNED':
      return data.inputs;
    case 'RUN_COMPLETED':
      return data.output;
    default:
      return undefined;
  }
}

/**
 * Replaces the large value of a draft by a reference. Requests and results keep their small fields, and a label that
 * the request contains. Inputs and outputs keep nothing, so that no reader mistakes a part for the whole.
 * @param ref reference to the value; without it the value is omitted, to show the rest
 * @param inputsRef path of the file that shows the arguments of a request
 */
export function byReference(draft: EntryDraft, ref: BlobRef | undefined, inputsRef?: string): EntryDraft {
  const { type, data } = draft;
  switch (type) {
    case 'EFFECT_REQUESTED': {
      const { label, ...rest } = data;
      const isSmall = label !== undefined && (label.length <= SMALL_FIELD || label !== data.request.label);
      const request = { ...smallFields(data.request), ...defined({ inputsRef }) };
      return { type, data: { ...rest, request, ...(isSmall && { label }), ...(ref && { requestRef: ref }) } };
    }
    case 'EFFECT_RESOLVED': {
      const { value, ...rest } = data;
      const kept = isObject(value) ? { value: smallFields(value as JsonObject) } : {};
      return { type, data: { ...rest, ...kept, ...(ref && { valueRef: ref }) } };
    }
    case 'RUN_CREATED':
      return { type, data: { ...data, inputs: null, ...(ref && { inputsRef: ref }) } };
    case 'PROCESS_ASSIGNED':
      return { type, data: { ...data, inputs: null, ...(ref && { inputsRef: ref }) } };
    case 'RUN_COMPLETED':
      return { type, data: { ...data, output: null, ...(ref && { outputRef: ref }) } };
    default:
      return draft;
  }
}

/** The fields of a large value that stay in the journal. */
export function smallFields(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => (JSON.stringify(field) ?? '').length <= SMALL_FIELD),
  );
}

/** Stores the large value of a draft, and returns the draft with a reference in its place. */
export async function offloadLargeValue(draft: EntryDraft, values: LargeValues): Promise<EntryDraft> {
  const large = largeValueOf(draft);
  if (large === undefined) return draft;
  const { args } = draft.type === 'EFFECT_REQUESTED' ? draft.data.request : {};
  const at = draft.type === 'EFFECT_REQUESTED' && args !== undefined && values.argumentsAt?.(draft.data.effectId, args);
  return byReference(draft, await values.put(large), at || undefined);
}

/** Does the same for all drafts. Without a store for large values they stay unchanged. */
export async function offloadLargeValues(
  drafts: readonly EntryDraft[],
  values: LargeValues | undefined,
): Promise<readonly EntryDraft[]> {
  if (!values || drafts.every((draft) => largeValueOf(draft) === undefined)) return drafts;
  return Promise.all(drafts.map((draft) => offloadLargeValue(draft, values)));
}

/** The reference in an entry whose value is stored outside of the journal. */
export function refOf({ type, data }: EntryDraft): BlobRef | undefined {
  switch (type) {
    case 'EFFECT_REQUESTED':
      return data.requestRef;
    case 'EFFECT_RESOLVED':
      return data.valueRef;
    case 'RUN_CREATED':
    case 'PROCESS_ASSIGNED':
      return data.inputsRef;
    case 'RUN_COMPLETED':
      return data.outputRef;
    default:
      return undefined;
  }
}
