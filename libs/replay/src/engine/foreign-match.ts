import { canonicalJson, type EntryData, type JsonObject, type JsonValue } from '@reins/contracts';
import { type Entry, type EntryDraft, UNVERIFIED_ARGS } from '@reins/journal';

type Requested = EntryData['EFFECT_REQUESTED'];

/** A request from a journal of another system: what it says of the arguments is in its request, and has no hash. */
export const isForeign = <T extends Pick<Entry, 'type' | 'data'>>(
  entry: T,
): entry is T & { readonly type: 'EFFECT_REQUESTED'; readonly data: Requested } =>
  entry.type === 'EFFECT_REQUESTED' && (entry.data as Requested).argsHash === UNVERIFIED_ARGS;

/**
 * Which of these requests a recorded one of another system is: with the same arguments the one with its key, else the first with its name and
 * label, else the first with its name. @returns -1 when none is
 */
export const foreignMatch = (owed: readonly EntryDraft[], recorded: Requested): number =>
  nearest(owed, recorded, (mine) => isSameWork(mine, recorded) && hasItsArguments(mine, recorded));

/** As `foreignMatch`, whatever the arguments: what the process asks for in place of a recorded request that nobody makes. */
export const foreignPlace = (owed: readonly EntryDraft[], recorded: Requested): number =>
  nearest(owed, recorded, (mine) => isSameWork(mine, recorded));

/** `<process>:<slot>:<task>`: the slot is an explicit key, a derived one or a number in the order of calls. */
const slotOf = (key: string): string => key.split(':').slice(1, -1).join(':');

function nearest(owed: readonly EntryDraft[], recorded: Requested, mayBe: (mine: Requested) => boolean): number {
  const requests = owed.map((draft) =>
    draft.type === 'EFFECT_REQUESTED' && mayBe(draft.data) ? draft.data : undefined,
  );
  const slot = slotOf(recorded.key);
  const byKey = requests.findIndex((mine) => mine && (mine.key.endsWith(`.${slot}`) || mine.key.endsWith(`:${slot}`)));
  if (byKey >= 0) return byKey;
  const byLabel = requests.findIndex((mine) => mine && mine.request.label === recorded.request.label);
  return byLabel >= 0 ? byLabel : requests.findIndex((mine) => mine !== undefined);
}

function isSameWork(mine: Requested, recorded: Requested): boolean {
  if (mine.kind !== recorded.kind) return false;
  switch (mine.kind) {
    case 'task':
      return mine.request.taskId === recorded.request.taskId;
    case 'sleep':
      return mine.request.expiresAt === recorded.request.expiresAt;
    case 'breakpoint':
      return labelOf(mine.request) === labelOf(recorded.request);
    default:
      return false;
  }
}

const labelOf = ({ subject }: JsonObject): unknown => (subject as JsonObject | undefined)?.label;

/** Where nobody knows which there were, any are right. */
function hasItsArguments(mine: Requested, recorded: Requested): boolean {
  const known = recordedArguments(recorded);
  return known === undefined || canonicalJson(known) === canonicalJson(argumentsOf(mine));
}

/** The arguments of a recorded request, and of one that stands in its place; undefined where they are not the same work. */
export const foreignArguments = (
  recorded: Requested,
  mine: Requested,
): [JsonValue | undefined, JsonValue | undefined] | undefined =>
  isSameWork(mine, recorded) ? [recordedArguments(recorded), argumentsOf(mine)] : undefined;

/**
 * What the journal there has of the arguments; undefined where it lost them. Of what the runtime asked for itself, they are what the process gave
 * it as payload.
 */
function recordedArguments({ kind, request }: Requested): JsonValue | undefined {
  const { args, definition } = request as Readonly<Record<string, JsonObject | undefined>>;
  if (kind === 'task' && args === undefined && (definition?.taskId === undefined || definition.inputsRef !== undefined))
    return undefined;
  return String(request.taskId).startsWith('__sdk.') ? (args?.payload ?? null) : argumentsOf({ kind, request });
}

/** The arguments of a call; where it has none, the definition of a task may say some. */
function argumentsOf({ kind, request }: Pick<Requested, 'kind' | 'request'>): JsonValue {
  const { args, definition, subject } = request as Readonly<Record<string, JsonObject | undefined>>;
  const known = kind === 'breakpoint' ? (subject?.detail as JsonObject | undefined)?.payload : args;
  return known ?? definition?.inputs ?? null;
}
