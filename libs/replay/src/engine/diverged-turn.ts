import type { Entry } from '@reins/journal';
import { type Divergence, divergenceDraft, tellsOf } from './divergence.ts';
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
  const isKnown = entries.some((entry) => isEnd(entry) || isKnownAs(entry, found));
  return { drafts: isKnown ? [] : [draft], steps: [], state: 'diverged', divergence: found };
}

const isKnownAs = (entry: Entry, found: Divergence): boolean =>
  entry.type === 'PROCESS_RUNTIME_ERROR' && tellsOf(entry, found);
