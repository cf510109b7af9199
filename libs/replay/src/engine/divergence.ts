import { canonicalJson, defined, type JsonObject, type JsonValue, ReinsError } from '@reins/contracts';
import { byReference, type Entry, type EntryDraft, largeValueOf } from '@reins/journal';
import { errorInfoOf } from '../errors.ts';
import { OPERATOR_GRACE_MS } from '../process-definition.ts';
import { differenceText } from './difference-text.ts';

/** The first place at which a process decided something other than its journal says. */
export interface Divergence {
  /** The effect in the journal or, if it has none there, the requested one. */
  readonly effectId?: string;
  readonly expected: JsonValue;
  readonly actual: JsonValue;
  readonly error: ReinsError;
  /** The version of the entry that the process did not reproduce. */
  readonly version?: number;
}

/** @param actual the decision of the process; undefined when it waits or has ended */
export function divergence(
  expected: Pick<Entry, 'type' | 'data'> & { readonly version?: number },
  actual: EntryDraft | undefined,
): Divergence {
  const [wanted, got] = [described(expected), actual ? described(actual) : null];
  const effectId = idOf(expected) ?? (actual && idOf(actual));
  const error = new ReinsError({
    code: 'replay_nondeterminism',
    message: differenceText(expected, actual),
    ...defined({ path: effectId }),
    hint: 'Restore the previous code, guard the change with ctx.patched, or fork the run before this entry.',
  });
  const at = expected.version === undefined ? {} : { version: expected.version };
  return { ...defined({ effectId }), expected: wanted, actual: got, error, ...at };
}

/** The entry that records the divergence, so that the run waits for an operator. */
export function divergenceDraft(
  { error, effectId, expected, actual }: Divergence,
  at: Date,
): EntryDraft<'PROCESS_RUNTIME_ERROR'> {
  const expiresAt = new Date(at.getTime() + OPERATOR_GRACE_MS).toISOString();
  const about = effectId === undefined ? {} : { effectId };
  return { type: 'PROCESS_RUNTIME_ERROR', data: { error: errorInfoOf(error), ...about, expected, actual, expiresAt } };
}

/** Whether this entry records the same difference, even if the message is worded differently. */
export function recordsDivergence(
  { data }: Entry<'PROCESS_RUNTIME_ERROR'>,
  { expected, actual, error }: Divergence,
): boolean {
  const both = (of: { expected?: JsonValue; actual?: JsonValue }) =>
    canonicalJson([of.expected ?? null, of.actual ?? null]);
  return data.error.code === error.code && both(data) === both({ expected, actual });
}

type Decision = Pick<EntryDraft, 'type' | 'data'>;

/** Large values are represented by their hash. */
function described(decision: Decision): JsonValue {
  const draft = decision as EntryDraft;
  const { type, data } = largeValueOf(draft) === undefined ? draft : byReference(draft, undefined);
  if (type !== 'EFFECT_REQUESTED') return { type, ...(data as JsonObject) };
  const { effectId, kind, key, argsHash, request } = data as EntryDraft<'EFFECT_REQUESTED'>['data'];
  return { type, effectId, kind, key, argsHash, request };
}

const idOf = ({ data }: Decision): string | undefined => ('effectId' in data ? data.effectId : undefined);
