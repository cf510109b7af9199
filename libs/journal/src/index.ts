export { EMPTY_HEAD, type Entry, type EntryDraft, emissionId, type Head, hashEntry, hashJson, sealEntries } from './entries/entry.ts';
export type { DirectiveName } from './facts/directives.ts';
export { EFFECT_KINDS, type EffectKind, type EffectKindName, effectKind } from './facts/effect-kinds.ts';
export { type Emission, factsOf } from './facts/facts-of.ts';
export { type EffectResult, type EffectState, type EffectStatus, emptyRun, isEnded, type RunEnd, type RunState, type RunStatus } from './state/run-state.ts';
export type { AppendOutcome, Commit, JournalStore, LoadedJournal, Position } from './store/journal-store.ts';
