import { type Entry, verifyAndFold } from '@reins/journal';
import type { RunJournal } from '../evidence/evidence.ts';
import { about, type Check, type Finding, groupBy } from './violation.ts';

/** Versions have no gaps, the hash chain and all entries are valid, epochs do not decrease, and the run has ended. */
export const journals: Check = ({ accepted, evidence }) => {
  const missing = accepted.filter(({ requestId }) => !evidence.journals.has(requestId));
  return [
    ...missing.map((request) => about(request, 'it was accepted, but has no journal')),
    ...[...evidence.journals.values()].flatMap(wrongJournal),
  ];
};

function wrongJournal({ run, entries, epochs, unreadable }: RunJournal): Finding[] {
  if (unreadable !== undefined) return [about(run.runId, unreadable)];
  const { state, problems } = verifyAndFold(run, entries);
  const back = epochs.some((epoch, index) => epoch < (epochs[index - 1] ?? 0));
  return [
    ...problems.map(({ message }) => about(run.runId, message)),
    ...(back ? [about(run.runId, `a commit was appended under an earlier epoch: ${epochs.join(', ')}`)] : []),
    ...(state.end || problems.length > 0 ? [] : [about(run.runId, 'its journal has no end')]),
  ];
}

/** No effect is resolved or cancelled twice. */
export const effects: Check = ({ evidence }) =>
  [...evidence.journals.values()].flatMap(({ run, entries }) => {
    const closings = entries.flatMap((entry) => closedEffect(entry) ?? []);
    const twice = [...groupBy(closings, (id) => id)].filter(([, times]) => times.length > 1);
    return twice.map(([effectId, times]) => about(run.runId, `effect ${effectId} was closed ${times.length} times`));
  });

const closedEffect = (entry: Entry): string | undefined =>
  entry.type === 'EFFECT_RESOLVED' || entry.type === 'EFFECT_CANCELLED' ? entry.data.effectId : undefined;
