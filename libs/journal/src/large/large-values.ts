import { type BlobRef, isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import type { EntryDraft } from '../entries/entry.ts';

/** Where values lie that are too large for the journal. By content: the same value again is the same blob. */
export interface LargeValues {
  /** Durable when it returns: the entry that names it is appended after that. */
  put(value: JsonValue): Promise<BlobRef>;
  get(ref: BlobRef): Promise<JsonValue>;
  /** Where people find the arguments of an effect, if they have a file of their own; the entry says it. */
  argumentsAt?(effectId: string, args: JsonValue): string | undefined;
}

/** Values whose JSON is longer than this many characters go by reference. */
const LARGE = 64 * 1024;
/** Fields of such a value that stay in the journal beside the reference, for whoever folds it: a tree, a verdict, an id. */
const SMALL_FIELD = 1024;

/** The part of a draft that goes by reference: a request, a result, the inputs or the output of a run; undefined when none is large. */
export function largeValueOf(draft: EntryDraft): JsonValue | undefined {
  const value = partOf(draft);
  return value !== undefined && JSON.stringify(value).length > LARGE ? value : undefined;
}

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
 * The draft with its large value by reference. Of requests and results the small fields stay (a label, too, where it is in the request); of
 * inputs and outputs nothing does, so that nobody takes a part for the whole.
 * @param ref of the value; without it the value is left out, to show the rest
 * @param inputsRef where the arguments of a request lie for people
 */
export function byReference(draft: EntryDraft, ref: BlobRef | undefined, inputsRef?: string): EntryDraft {
  const { type, data } = draft;
  switch (type) {
    case 'EFFECT_REQUESTED': {
      const { label, ...rest } = data;
      const isSmall = label !== undefined && (label.length <= SMALL_FIELD || label !== data.request.label);
      const request = { ...smallFields(data.request), ...(inputsRef !== undefined && { inputsRef }) };
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

/** What of a large value stays in the journal. */
export function smallFields(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => (JSON.stringify(field) ?? '').length <= SMALL_FIELD),
  );
}

/** The draft as the journal shall have it: what is large of it by reference. */
export async function withSmallValue(draft: EntryDraft, values: LargeValues): Promise<EntryDraft> {
  const large = largeValueOf(draft);
  if (large === undefined) return draft;
  const { args } = draft.type === 'EFFECT_REQUESTED' ? draft.data.request : {};
  const at = draft.type === 'EFFECT_REQUESTED' && args !== undefined && values.argumentsAt?.(draft.data.effectId, args);
  return byReference(draft, await values.put(large), at || undefined);
}

/** All of them so; without a place for large values as they are. */
export async function withSmallValues(
  drafts: readonly EntryDraft[],
  values: LargeValues | undefined,
): Promise<readonly EntryDraft[]> {
  if (!values || drafts.every((draft) => largeValueOf(draft) === undefined)) return drafts;
  return Promise.all(drafts.map((draft) => withSmallValue(draft, values)));
}

/** What an entry has by reference of what it would have had itself. */
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
