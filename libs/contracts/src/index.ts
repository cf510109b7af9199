export { mapParallel } from './async/map-parallel.ts';
export { canonicalJson } from './canonical-json.ts';
export {
  type AnyEvent,
  channelOf,
  ENTRY_TYPES,
  type EntryType,
  EVENT_TYPES,
  type EventOf,
  type EventType,
  isEventType,
  parseEvent,
  parseJson,
  problemsOfEntry,
  problemsOfEvent,
  subjectTypeOf,
} from './catalogue/catalogue.ts';
export type { Channel } from './catalogue/channel.ts';
export { type Defined, defined } from './defined.ts';
export { assertNotExpired } from './errors/assert-not-expired.ts';
export { ERROR_CODES, type ErrorCode, type ErrorCodeInfo } from './errors/codes.ts';
export { fatalLine, fatalProblemIn } from './errors/fatal-line.ts';
export type { Problem } from './errors/problem.ts';
export { isReinsError, isRetryable, problemOf, ReinsError } from './errors/reins-error.ts';
export type * from './generated/types.ts';
export { CHECKS } from './generated/validators.ts';
export { OFFER_TTL_MS } from './harness-offer.ts';
export { EXTENSION_HEADERS, HEADERS, type TraceHeaders, traceHeadersOf } from './headers.ts';
export type { JsonObject, JsonValue } from './json.ts';
export { type LineListener, LineReader, lineText } from './lines/line-reader.ts';
export { type ParkedRun, parkedKeyOf, parkedKeys } from './parked-run.ts';
export { isStage, type RuntimeSource, STAGES, type Stage } from './stages.ts';
export {
  DIRECTIVES_SUBJECT,
  type EventAddress,
  type EventFilter,
  eventFilter,
  eventSubject,
  parseEventSubject,
} from './subjects/event-subjects.ts';
export { DEFAULT_PARTITIONS, fnv1a32, partitionOf } from './subjects/partitions.ts';
export {
  deadSubject,
  heldSubject,
  type InboxAddress,
  inboxSubject,
  journalSubject,
  parseHeldSubject,
  parseInboxSubject,
  parseJournalSubject,
  type RunAddress,
  replySubject,
  replyTemplate,
  scheduleSubject,
  scheduleSubjects,
} from './subjects/run-subjects.ts';
export { assertToken, DEFAULT_AGENT, isToken, NO_REQUEST } from './subjects/tokens.ts';
export { nearest } from './text/nearest.ts';
export type { Check } from './validation/checks.ts';
export { isObject, isText } from './validation/checks.ts';
export { type Wait, waitCommands } from './wait-commands.ts';
