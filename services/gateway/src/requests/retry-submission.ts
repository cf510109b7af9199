import { ReinsError, STAGES, type Stage } from '@reins/contracts';
import { type Entry, effectKind, type LargeValues, startedWith } from '@reins/journal';
import type { AcceptedRequest } from './request-records.ts';
import type { SubmitRequest } from './requests.dto.ts';

/** A request that ended, with its journal. */
export interface EndedRequest {
  readonly record: AcceptedRequest;
  readonly entries: readonly Entry[];
}

/**
 * The submission that retries a request in its session: with the same input, options, process and workspace revision.
 * @param from the stage to retry: the work before its last run is shared with the request, as in a fork. Without it, the
 * whole request is retried.
 * @throws ReinsError `request_invalid` if the stage did not run
 */
export async function retrySubmission(
  { record, entries }: EndedRequest,
  values: Pick<LargeValues, 'get'>,
  from?: Stage,
): Promise<SubmitRequest> {
  const { requestId, workspaceId, revision, sessionId, agentId } = record;
  const { process, request } = await startedWith(entries, values);
  return {
    ...(request as unknown as Omit<SubmitRequest, 'workspace'>),
    workspace: { id: workspaceId, revision },
    sessionId,
    agentId,
    process: process.id,
    retryOf: requestId,
    ...(from !== undefined && { fork: { requestId, at: lastEntryBefore(from, record, entries) } }),
  };
}

/** The version of the entry before the last run of a stage: before its preparation, if it has one. */
function lastEntryBefore(stage: Stage, { requestId }: AcceptedRequest, entries: readonly Entry[]): number {
  const work = entries.filter(isStageWork);
  const ofStage = work.filter(({ data }) => data.request.stage === stage);
  const last = ofStage.findLast(({ data }) => effectKind(data.kind).stageWork === 'preparation') ?? ofStage.at(-1);
  if (last) return last.version - 1;
  const ran = STAGES.filter((one) => work.some(({ data }) => data.request.stage === one));
  throw new ReinsError({
    code: 'request_invalid',
    message: `stage ${stage} did not run in request ${requestId}`,
    path: 'from',
    hint: ran.length > 0 ? `Name one of: ${ran.join(', ')}.` : 'Retry the whole request, without `from`.',
  });
}

const isStageWork = (entry: Entry): entry is Entry<'EFFECT_REQUESTED'> =>
  entry.type === 'EFFECT_REQUESTED' && effectKind(entry.data.kind).stageWork !== undefined;
