import { canonicalJson, type JsonObject, type JsonValue, ReinsError } from '@reins/contracts';
import { byReference, type Entry, type EntryDraft, largeValueOf } from '@reins/journal';
import { errorInfoOf } from '../errors.ts';
import { OPERATOR_GRACE_MS } from '../process-definition.ts';
import { differenceText } from './difference-text.ts';

/** The first place at which a process did something else than its journal says. */
export interface Divergence {
  /** The effect that is in the journal there, or, when there is none, the one that was asked for. */
  readonly effectId?: string;
  readonly expected: JsonValue;
  readonly actual: JsonValue;
  readonly error: ReinsError;
  /** The entry that the process should have come to. */
  readonly version?: number;
}

/** @param actual what the process did there; undefined = nothing, it waits or has ended */
export function divergence(
  expected: Pick<Entry, 'type' | 'data'> & { readonly version?: number },
  actual: EntryDraft | undefined,
): Divergence {
  const [wanted, got] = [described(expected), actual ? described(actual) : null];
  const effectId = idOf(expected) ?? (actual && idOf(actual));
  const error = new ReinsError({
    code: 'replay_nondeterminism',
    message: differenceText(expected, actual),
    ...(effectId !== undefined && { path: effectId }),
    hint: 'bring the code back, guard the change with ctx.patched, or fork the run before this place',
  });
  const at = expected.version === undefined ? {} : { version: expected.version };
  return { ...(effectId !== undefined && { effectId }), expected: wanted, actual: got, error, ...at };
}

/** What the journal shall have of it: the run waits for an operator. */
export function divergenceDraft(
  { error, effectId, expected, actual }: Divergence,
  at: Date,
): EntryDraft<'PROCESS_RUNTIME_ERROR'> {
  const expiresAt = new Date(at.getTime() + OPERATOR_GRACE_MS).toISOString();
  const about = effectId === undefined ? {} : { effectId };
  return { type: 'PROCESS_RUNTIME_ERROR', data: { error: errorInfoOf(error), ...about, expected, actual, expiresAt } };
}

/** Whether this entry tells of the same difference. It may have done so in other words. */
export function tellsOf({ data }: Entry<'PROCESS_RUNTIME_ERROR'>, { expected, actual, error }: Divergence): boolean {
  const both = (of: { expected?: JsonValue; actual?: JsonValue }) =>
    canonicalJson([of.expected ?? null, of.actual ?? null]);
  return data.error.code === error.code && both(data) === both({ expected, actual });
}

type Decision = Pick<EntryDraft, 'type' | 'data'>;

/** Of what is large the hash tells enough. */
function described(decision: Decision): JsonValue {
  const draft = decision as EntryDraft;
  const { type, data } = largeValueOf(draft) === undefined ? draft : byReference(draft, undefined);
  if (type !== 'EFFECT_REQUESTED') return { type, ...(data as JsonObject) };
  const { effectId, kind, key, argsHash, request } = data as EntryDraft<'EFFECT_REQUESTED'>['data'];
  return { type, effectId, kind, key, argsHash, request };
}

const idOf = ({ data }: Decision): string | undefined => ('effectId' in data ? data.effectId : undefined);
