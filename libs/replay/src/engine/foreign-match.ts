import type { EntryData, JsonObject } from '@reins/contracts';
import { type Entry, type EntryDraft, UNVERIFIED_ARGS } from '@reins/journal';

type Requested = EntryData['EFFECT_REQUESTED'];

/** A request from a journal of another system, which did not record the arguments. */
export const isForeign = (entry: Entry): entry is Entry<'EFFECT_REQUESTED'> =>
  entry.type === 'EFFECT_REQUESTED' && entry.data.argsHash === UNVERIFIED_ARGS;

/**
 * Which of these requests a recorded one of another system is: the one with its key, else the first with its name and label, else
 * the first with its name. @returns -1 when none is
 */
export function foreignMatch(owed: readonly EntryDraft[], recorded: Requested): number {
  const requests = owed.map((draft) =>
    draft.type === 'EFFECT_REQUESTED' && isSameWork(draft.data, recorded) ? draft.data : undefined,
  );
  const slot = slotOf(recorded.key);
  const byKey = requests.findIndex((mine) => mine && (mine.key.endsWith(`.${slot}`) || mine.key.endsWith(`:${slot}`)));
  if (byKey >= 0) return byKey;
  const byLabel = requests.findIndex((mine) => mine && mine.request.label === recorded.request.label);
  return byLabel >= 0 ? byLabel : requests.findIndex((mine) => mine !== undefined);
}

/** `<process>:<slot>:<task>`: the slot is an explicit key, a derived one or a number in the order of calls. */
const slotOf = (key: string): string => key.split(':').slice(1, -1).join(':');

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
