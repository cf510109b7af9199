import { type JsonObject, type JsonValue, ReinsError } from '@reins/contracts';
import { byReference, type Entry, type EntryDraft, largeValueOf } from '@reins/journal';
import { errorInfoOf } from '../errors.ts';
import { OPERATOR_GRACE_MS } from '../process-definition.ts';
import { foreignArguments, isForeign } from './foreign-match.ts';

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
  const place = expected.version === undefined ? '' : ` (entry ${expected.version})`;
  const error = new ReinsError({
    code: 'replay_nondeterminism',
    message: `the journal has ${named(expected)}${place}; the process ${actual ? `asked for ${named(actual)}` : 'asked for nothing'}${changed(expected, actual)}`,
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

type Decision = Pick<EntryDraft, 'type' | 'data'>;

/** Of what is large the hash tells enough. */
function described(decision: Decision): JsonValue {
  const draft = decision as EntryDraft;
  const { type, data } = largeValueOf(draft) === undefined ? draft : byReference(draft, undefined);
  if (type !== 'EFFECT_REQUESTED') return { type, ...(data as JsonObject) };
  const { effectId, kind, key, argsHash, request } = data as EntryDraft<'EFFECT_REQUESTED'>['data'];
  return { type, effectId, kind, key, argsHash, request };
}

function named({ type, data }: Decision): string {
  if (type !== 'EFFECT_REQUESTED') return type;
  const { kind, key } = data as EntryDraft<'EFFECT_REQUESTED'>['data'];
  return `${kind} ${key}`;
}

const idOf = ({ data }: Decision): string | undefined => ('effectId' in data ? data.effectId : undefined);

/** Where the arguments of one and the same call part. */
function changed(expected: Decision, actual: Decision | undefined): string {
  const both = actual && argumentsOfOneCall(expected, actual);
  if (!both) return '';
  if ('requestRef' in expected.data) return ' with other arguments';
  const path = firstDifference(...both, '');
  return path === undefined ? '' : ` with other arguments${path === '' ? '' : `, first at ${path.replace(/^\./, '')}`}`;
}

function argumentsOfOneCall(expected: Decision, actual: Decision): ReturnType<typeof foreignArguments> {
  if (isForeign(expected)) return isRequest(actual) ? foreignArguments(expected.data, actual.data) : undefined;
  const effectId = idOf(expected);
  return effectId !== undefined && effectId === idOf(actual) ? [requestOf(expected), requestOf(actual)] : undefined;
}

const isRequest = (decision: Decision): decision is EntryDraft<'EFFECT_REQUESTED'> =>
  decision.type === 'EFFECT_REQUESTED';

const requestOf = ({ data }: Decision): JsonValue | undefined => ('request' in data ? data.request : undefined);

/** The path at which two values first differ; undefined when they do not. */
export function firstDifference(a: JsonValue | undefined, b: JsonValue | undefined, at: string): string | undefined {
  if (a === b) return undefined;
  if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return at;
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const below = firstDifference(a[name], b[name], Array.isArray(a) ? `${at}[${name}]` : `${at}.${name}`);
    if (below !== undefined) return below;
  }
  return undefined;
}

const isContainer = (value: JsonValue | undefined): value is JsonObject => typeof value === 'object' && value !== null;
