import type { Entry } from '@reins/journal';
import { type Divergence, divergenceDraft, recordsDivergence } from './divergence.ts';
import { isEnd } from './end-states.ts';
import type { Turn } from './turn.ts';

/**
 * The turn of a replay that diverged from its journal. The run waits for an operator. That is recorded once, and not
 * for an ended run.
 * @param replayedAt the start of the operator's grace period
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
  entry.type === 'PROCESS_RUNTIME_ERROR' && recordsDivergence(entry, found);
