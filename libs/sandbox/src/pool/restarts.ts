import { ReinsError } from '@reins/contracts';
import { EMPTY_HEAD, type Entry, type EntryDraft, sealEntries } from '@reins/journal';
import type { FedEntry } from '@reins/replay';
import type { TurnMessage } from '../protocol/messages.ts';

/**
 * A process that continues as new starts again in a new child, as in a replay: variables of its modules do not survive.
 * Decisions before the restart come from the old child, later ones from the new child.
 */

/** The limit for one turn. A process that never waits would restart for ever. */
export const MAX_RESTARTS = 100;

export function restartedTooOften(): ReinsError {
  return new ReinsError({
    code: 'process_timed_out',
    message: `the process continued as new more than ${MAX_RESTARTS} times without waiting`,
    hint: 'Wait for an effect before ctx.continueAsNew, or use a loop.',
  });
}

/** The part of a turn before its first restart. Undefined when the process did not restart. */
export function untilRestart(turn: TurnMessage): TurnMessage | undefined {
  const at = turn.drafts.findIndex(({ type }) => type === 'PROCESS_ASSIGNED');
  if (at < 0) return undefined;
  return { drafts: turn.drafts.slice(0, at + 1), steps: [], state: 'waiting', awaited: [] };
}

/** Removes the clock marks that a replay adds. A restart within a turn does not need them. */
export function withoutClockMarks(turn: TurnMessage): TurnMessage {
  return { ...turn, drafts: turn.drafts.filter((draft) => !isClockMark(draft)) };
}

const isClockMark = ({ type, data }: EntryDraft): boolean => type === 'PROCESS_LOG' && data.label === '@clock';

/** The journal after these entries are appended. */
export function withEntries(journal: readonly Entry[], entries: readonly FedEntry[]): readonly Entry[] {
  const all = [...journal];
  for (const { type, data, recordedAt } of entries) {
    const { version, hash } = all.at(-1) ?? EMPTY_HEAD;
    all.push(...sealEntries({ version, hash }, [{ type, data } as EntryDraft], recordedAt));
  }
  return all;
}

/** Like `withEntries`, for decisions that are recorded at that time. */
export const withDrafts = (
  journal: readonly Entry[],
  drafts: readonly EntryDraft[],
  recordedAt: string,
): readonly Entry[] =>
  withEntries(
    journal,
    drafts.map((draft) => ({ ...draft, recordedAt }) as FedEntry),
  );
