import type { Entry, EntryDraft } from '@reins/journal';
import { type Divergence, divergenceDraft } from './divergence.ts';
import { isEnd } from './end-states.ts';
import type { Turn } from './turn.ts';

/**
 * What a replay owes that parted from its journal. The run waits for an operator; that is recorded once, and not of a run that has ended.
 * @param replayedAt from then on the operator has time
 */
export function divergedTurn(
  found: Divergence,
  entries: readonly Entry[],
  replayedAt = entries.at(-1)?.recordedAt,
): Turn {
  const draft = divergenceDraft(found, new Date(replayedAt ?? 0));
  const isKnown = entries.some((entry) => isEnd(entry) || isSameError(entry, draft));
  return { drafts: isKnown ? [] : [draft], steps: [], state: 'diverged', divergence: found };
}

const isSameError = (entry: Entry, { data }: EntryDraft<'PROCESS_RUNTIME_ERROR'>): boolean =>
  entry.type === 'PROCESS_RUNTIME_ERROR' && entry.data.error.message === data.error.message;
