import {
  type BlobRef,
  CHECKS,
  type EndedStage,
  isObject,
  type JsonObject,
  type JsonValue,
  type Problem,
  type RuntimePrepareRequested,
  type SessionState,
  type Verdict,
} from '@reins/contracts';
import { type RequestContext, requestContext, type StageHistory } from '@reins/runtime-config';

/** A session of an executor that the stage continues. */
export interface ContinuedSession {
  readonly harnessSessionId: string;
  /** The last request in the session; undefined if that is an earlier iteration of this request. */
  readonly requestId: string | undefined;
}

/** A typed request for preparation, decoded from the free-form fields of the event. */
export interface StageRequest {
  readonly instruction: string;
  readonly attachments: readonly BlobRef[];
  readonly model: string | null;
  readonly thinkingValue: string | null;
  readonly context: RequestContext;
  /** The session state that came with the request. */
  readonly session: SessionState;
  readonly history: StageHistory;
  /** The session of the executor that the stage continues. */
  readonly continued: ContinuedSession | undefined;
  /** The tree of the workspace's revision. Runs of earlier versions of Reins do not name it. */
  readonly revision: string | undefined;
}

/** Decodes the request of a stage from its event. Invalid optional parts are skipped. */
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
    continued: continuedOf(context?.continued),
    revision: typeof context?.revision === 'string' ? context.revision : undefined,
  };
}

/** The results of earlier stages: brief, last execution, verdict, reflection. */
function historyOf(context: JsonObject | undefined): StageHistory {
  const { interview, previous, verdict, reflection, endedStages } = context ?? {};
  return {
    brief: textOrNull(interview),
    execution: textOrNull(previous),
    reflection: textOrNull(reflection),
    verdict: isObject(verdict) ? (verdict as unknown as Verdict) : null,
    handoffs: listOf(endedStages, CHECKS.EndedStage) as unknown as readonly EndedStage[],
  };
}

function continuedOf(value: JsonValue | undefined): ContinuedSession | undefined {
  if (!isObject(value)) return undefined;
  const { harnessSessionId, requestId } = value;
  if (typeof harnessSessionId !== 'string') return undefined;
  return { harnessSessionId, requestId: typeof requestId === 'string' ? requestId : undefined };
}

function sessionOf(value: JsonValue | undefined): SessionState {
  if (!isObject(value)) return {};
  const { turns, lastRun, compactionBoundary, endedStages } = value;
  return {
    turns: listOf(turns, CHECKS.Turn) as unknown as NonNullable<SessionState['turns']>,
    ...(isObject(lastRun) && { lastRun: lastRun as unknown as NonNullable<SessionState['lastRun']> }),
    ...(typeof compactionBoundary === 'string' && { compactionBoundary }),
    endedStages: listOf(endedStages, CHECKS.EndedStage) as unknown as readonly EndedStage[],
  };
}

type Check = (value: unknown, path: string, problems: Problem[]) => void;

/** The valid members of a list. */
function listOf(value: JsonValue | undefined, check: Check): readonly JsonValue[] {
  if (!Array.isArray(value)) return [];
  return value.filter((member) => {
    const problems: Problem[] = [];
    check(member, '', problems);
    return problems.length === 0;
  });
}

/** An output as text. It may be a text, `{text}`, or any JSON. */
function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (isObject(value) && typeof value.text === 'string') return value.text;
  return value === null ? '' : JSON.stringify(value);
}

const textOrNull = (value: JsonValue | undefined): string | null =>
  value === undefined || value === null ? null : textOf(value);

const asText = (field: JsonValue | undefined): string | null => (typeof field === 'string' ? field : null);
