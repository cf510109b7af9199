import {
  type BlobRef,
  CHECKS,
  isObject,
  type JsonObject,
  type JsonValue,
  type Problem,
  type RuntimePrepareRequested,
  type SessionState,
  type Verdict,
} from '@reins/contracts';
import { type RequestContext, requestContext, type StageHistory } from '@reins/runtime-config';

/** What a request for preparation says, read out of the free form that it travels in. */
export interface StageRequest {
  readonly instruction: string;
  readonly attachments: readonly BlobRef[];
  readonly model: string | null;
  readonly thinkingValue: string | null;
  readonly context: RequestContext;
  /** What the session hands on; it came with the request. */
  readonly session: SessionState;
  readonly history: StageHistory;
}

/** Reads the request of a stage out of its event. */
export function stageRequest({ input, context }: RuntimePrepareRequested): StageRequest {
  const request = isObject(input) ? input : {};
  return {
    instruction: textOf(request.input ?? null),
    attachments: listOf(request.attachments, CHECKS.BlobRef) as unknown as readonly BlobRef[],
    model: asText(request.model),
    thinkingValue: asText(request.thinkingValue),
    context: requestContext(request.metadata),
    session: sessionOf(context?.session),
    history: historyOf(context),
  };
}

/** What earlier stages of the run left: the interview's brief, the last execution, its verdict, the reflection on it. */
function historyOf(context: JsonObject | undefined): StageHistory {
  const { interview, previous, verdict, reflection } = context ?? {};
  return {
    brief: textOrNull(interview),
    execution: textOrNull(previous),
    reflection: textOrNull(reflection),
    verdict: isObject(verdict) ? (verdict as unknown as Verdict) : null,
  };
}

function sessionOf(value: JsonValue | undefined): SessionState {
  if (!isObject(value)) return {};
  const { turns, lastRun, compactionBoundary } = value;
  return {
    turns: listOf(turns, CHECKS.Turn) as unknown as NonNullable<SessionState['turns']>,
    ...(isObject(lastRun) && { lastRun: lastRun as unknown as NonNullable<SessionState['lastRun']> }),
    ...(typeof compactionBoundary === 'string' && { compactionBoundary }),
  };
}

type Check = (value: unknown, path: string, problems: Problem[]) => void;

/** The members of a list that are what they should be. */
function listOf(value: JsonValue | undefined, check: Check): readonly JsonValue[] {
  if (!Array.isArray(value)) return [];
  return value.filter((member) => {
    const problems: Problem[] = [];
    check(member, '', problems);
    return problems.length === 0;
  });
}

/** An output is a text, or `{text}`, or any JSON. */
function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (isObject(value) && typeof value.text === 'string') return value.text;
  return value === null ? '' : JSON.stringify(value);
}

const textOrNull = (value: JsonValue | undefined): string | null =>
  value === undefined || value === null ? null : textOf(value);

const asText = (field: JsonValue | undefined): string | null => (typeof field === 'string' ? field : null);
