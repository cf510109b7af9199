export { loadThroughArchive } from './archive/load-through-archive.ts';
export { archiveStub, type FinishedJournal, journalTextsIn, packJournals, unpackJournal } from './archive/pack.ts';
export {
  bundleHead,
  exportJournal,
  importJournal,
  type JournalBundle,
  type LargeValuesByHash,
  readBundle,
  referencedValues,
} from './bundle/bundle.ts';
export { type JournalSignature, type SignatureVerdict, signJournal, verifySignature } from './bundle/signature.ts';
export type { Checkpoint, CheckpointStore } from './checkpoint/checkpoint.ts';
export { type ExtendOptions, extendCheckpoint, fillsPart } from './checkpoint/extend-checkpoint.ts';
export type { DeadlineRule, EffectKind, ResolvedBy } from './effects/effect-kind.ts';
export { EFFECT_KINDS, type EffectKindName, effectKind, requestKinds } from './effects/effect-kinds.ts';
export { MAX_DURATION_MS, NO_LIMIT_MS, RETRIES, WAIT_LIMITS } from './effects/limits.ts';
export { isFailureOfRuntime, isStalled, mayHaveActed } from './effects/stage-failures.ts';
export { isHook } from './effects/task.ts';
export { type CommitEnd, decodeCommit, encodeCommit, endOfCommit } from './entries/commit-codec.ts';
export {
  EMPTY_HEAD,
  type Entry,
  type EntryDraft,
  effectIdOf,
  type Head,
  hasEnded,
  hashEntry,
  hashJson,
  isEnd,
  sealEntries,
  UNVERIFIED_ARGS,
} from './entries/entry.ts';
export {
  BARE_RUN,
  isAuthored,
  type RequestOptions,
  type RunRequest,
  requestOfRun,
  requestOptionsOf,
  startedWith,
  takesRawInput,
} from './entries/run-request.ts';
export { DECISION_FORM, type GivenDecision, givenDecision } from './facts/approval-answer.ts';
export type { EmissionTrace } from './facts/emission-trace.ts';
export { type Emission, factsOf, isRestoredEnd } from './facts/facts-of.ts';
export { rootRequestId } from './facts/parent-field.ts';
export { problemsOfRequest } from './facts/request-problems.ts';
export {
  byReference,
  type LargeValues,
  largeValueOf,
  offloadLargeValue,
  offloadLargeValues,
  refOf,
} from './large/large-values.ts';
export {
  type BundledCode,
  type CodeModule,
  changedModules,
  codeInBundle,
  hasCodeHash,
  isSameCode,
  type ProcessCode,
  type ProcessManifest,
  parseManifest,
  processManifest,
  recordedCode,
  sha256Of,
} from './process-code/process-code.ts';
export { applyEntry, foldRun } from './state/apply-entry.ts';
export { effectiveEntries } from './state/effective-entries.ts';
export {
  type EffectResult,
  type EffectState,
  type EffectStatus,
  emptyRun,
  type Forked,
  isEnded,
  pendingEffects,
  type RunEnd,
  type RunState,
  type RunStatus,
  type WaitReason,
} from './state/run-state.ts';
export { validateNextEntry } from './state/validate-next-entry.ts';
export { asCorruptedJournal, CorruptedJournalError } from './store/corrupted-journal-error.ts';
export type { AppendOutcome, Commit, JournalStore, LoadedJournal, Position } from './store/journal-store.ts';
export { memoryStream } from './store/memory-stream.ts';
export type { EntryIssue, RecoveredJournal } from './store/recover-commits.ts';
export type { StreamAppended, StreamMessage, StreamPort } from './store/stream-port.ts';
export { streamJournalLoader, streamJournalStore } from './store/stream-store.ts';
export { applyDraftOrReason, type DatedDraft, draftProblem, effectsWithoutRequest } from './verify/apply-draft.ts';
export { assertVerified, verifyAndFold, verifyEntries } from './verify/verify-entries.ts';
