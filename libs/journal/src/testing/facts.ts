import { type AnyEvent, type JsonObject, problemsOfEvent } from '@reins/contracts';
import type { EffectKindName } from '../effects/effect-kinds.ts';
import type { Entry, EntryDraft } from '../entries/entry.ts';
import { type Emission, factsOf } from '../facts/facts-of.ts';
import { CREATED, draft, EXAMPLES, JournalBuilder, requestedDraft } from './journals.ts';

export const ERROR = { code: 'internal_error', message: 'broken' };
export const USAGE = { provider: 'p', model: 'm', inputTokens: 5, outputTokens: 6 };

/** The facts of the last of these drafts. */
export function factsOfLast(...drafts: EntryDraft[]): AnyEvent[] {
  return emissions(...drafts).map(({ body }) => body);
}

/** The emissions of the last of these drafts, after a check that they are valid events. */
export function emissions(...drafts: EntryDraft[]): Emission[] {
  const journal = new JournalBuilder().add(CREATED, ...drafts);
  const out = factsOf(journal.state, journal.entries.at(-1) as Entry);
  const invalid = out.map(({ body }) => ({ body, problems: problemsOfEvent(body) })).filter(hasProblems);
  if (invalid.length > 0) throw new Error(`invalid events: ${JSON.stringify(invalid)}`);
  return out;
}

const hasProblems = ({ problems }: { readonly problems: readonly unknown[] }): boolean => problems.length > 0;

/** The type of each event; for a directive, its target type and name, with `!` if it is terminal. */
export const inShort = (events: AnyEvent[]): string[] =>
  events.map((event) => {
    if (event.type !== 'control.directive.emitted') return event.type;
    return `${event.targetType} ${event.directive}${event.isTerminal ? '!' : ''}`;
  });

/** The request of a stage. */
export const stage = (effectId: string, name: string): EntryDraft =>
  requestedDraft(effectId, 'stage', { ...EXAMPLES.stage.request, stage: name });
/** The request of effect `e1`. */
export const requested = (kind: EffectKindName): EntryDraft => requestedDraft('e1', kind, EXAMPLES[kind].request);
/** The result of effect `e1`. */
export const resolved = (value?: unknown): EntryDraft =>
  draft('EFFECT_RESOLVED', {
    effectId: 'e1',
    attempt: 1,
    status: 'ok',
    ...(value !== undefined && { value: value as JsonObject }),
  });
/** The failure of effect `e1`. */
export const failedEffect = draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'error', error: ERROR });
