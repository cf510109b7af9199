import { canonicalJson, type EntryData, type JsonValue } from '@reins/contracts';
import { type Entry, type EntryDraft, effectKind, UNVERIFIED_ARGS } from '@reins/journal';

type Requested = EntryData['EFFECT_REQUESTED'];

/** A request from a journal of another system has its arguments, but no hash of them. */
export const isForeign = <T extends Pick<Entry, 'type' | 'data'>>(
  entry: T,
): entry is T & { readonly type: 'EFFECT_REQUESTED'; readonly data: Requested } =>
  entry.type === 'EFFECT_REQUESTED' && (entry.data as Requested).argsHash === UNVERIFIED_ARGS;

/**
 * Finds the request that matches a recorded one of another system. Among those with the same arguments: by key, then by
 * name and label, then by name.
 * @returns -1 when none matches
 */
export const foreignMatch = (unrecorded: readonly EntryDraft[], recorded: Requested): number =>
  nearest(unrecorded, recorded, (actual) => isSameWork(actual, recorded) && matchesArguments(actual, recorded));

/** Like `foreignMatch`, whatever the arguments: the request that the process makes instead of a recorded one. */
export const foreignPlace = (unrecorded: readonly EntryDraft[], recorded: Requested): number =>
  nearest(unrecorded, recorded, (actual) => isSameWork(actual, recorded));

/** `<process>:<slot>:<task>`: the slot is an explicit key, a derived key, or the number of the call. */
const slotOf = (key: string): string => key.split(':').slice(1, -1).join(':');

function nearest(
  unrecorded: readonly EntryDraft[],
  recorded: Requested,
  mayBe: (actual: Requested) => boolean,
): number {
  const requests = unrecorded.map((draft) =>
    draft.type === 'EFFECT_REQUESTED' && mayBe(draft.data) ? draft.data : undefined,
  );
  const slot = slotOf(recorded.key);
  const byKey = requests.findIndex(
    (actual) => actual && (actual.key.endsWith(`.${slot}`) || actual.key.endsWith(`:${slot}`)),
  );
  if (byKey >= 0) return byKey;
  const byLabel = requests.findIndex((actual) => actual && actual.request.label === recorded.request.label);
  return byLabel >= 0 ? byLabel : requests.findIndex((actual) => actual !== undefined);
}

function isSameWork(actual: Requested, recorded: Requested): boolean {
  const { foreign } = effectKind(actual.kind);
  if (!foreign || actual.kind !== recorded.kind) return false;
  return foreign.identity(actual.request) === foreign.identity(recorded.request);
}

/** Unknown arguments match any. */
function matchesArguments(actual: Requested, recorded: Requested): boolean {
  const known = recordedArguments(recorded);
  return known === undefined || canonicalJson(known) === canonicalJson(argumentsOf(actual));
}

/** The arguments of a recorded request and of the matching one; undefined when they are different work. */
export const foreignArguments = (
  recorded: Requested,
  actual: Requested,
): [JsonValue | undefined, JsonValue | undefined] | undefined =>
  isSameWork(actual, recorded) ? [recordedArguments(recorded), argumentsOf(actual)] : undefined;

/** The recorded arguments; undefined where the other system lost them. */
function recordedArguments({ kind, request }: Requested): JsonValue | undefined {
  const { foreign } = effectKind(kind);
  return foreign?.recordedArgs ? foreign.recordedArgs(request) : foreign?.args(request);
}

const argumentsOf = ({ kind, request }: Requested): JsonValue => effectKind(kind).foreign?.args(request) ?? null;
