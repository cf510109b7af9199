import type { AnyEvent, BlobRef, EventOf, Stage } from '@reins/contracts';
import { ReinsError } from '@reins/contracts';
import type { TurnRequestSnapshot } from '@reins/runtime-config';
import { stageName } from '../arguments.ts';
import type { RequestDetail } from '../client/api-types.ts';
import type { GatewayClient } from '../client/gateway-client.ts';
import { listedEvents } from '../client/listed-events.ts';
import { childRunsText } from '../output/child-runs.ts';
import { type StartedStage, StartedStages } from './started-stages.ts';

type PrepareRequest = EventOf<'runtime.prepare.requested'>;
type PrepareResult = EventOf<'runtime.prepare.completed'>;

/** A prepared stage of a request: the prepare request, and where the snapshot of the turn request is stored. */
export interface Preparation {
  readonly requestId: string;
  readonly workspaceId: string;
  readonly stage: Stage;
  readonly iteration: number;
  readonly attempt: number;
  readonly runtimeId: string;
  readonly fingerprint: string;
  readonly snapshotRef: BlobRef;
  readonly request: PrepareRequest;
  /** What the last attempt of the stage got; absent before its executor started. */
  readonly started?: StartedStage | undefined;
}

/**
 * The last preparation of a request, or of one of its stages.
 * @throws ReinsError `request_not_found`; `wrong_usage` when there is no preparation, or `stage` is not a stage
 */
export async function lastPreparation(
  client: GatewayClient,
  requestId: string,
  stage?: string,
  iteration?: number,
): Promise<Preparation> {
  const wanted = stage === undefined ? undefined : stageName(stage);
  const found = (await preparations(client, requestId)).findLast(
    (each) => (wanted ?? each.stage) === each.stage && (iteration ?? each.iteration) === each.iteration,
  );
  if (found) return found;
  throw await noPreparation(client, requestId, wanted, iteration);
}

/** Why there is no preparation: no stage is prepared yet, or the stages belong to child runs. */
async function noPreparation(
  client: GatewayClient,
  requestId: string,
  wanted: Stage | undefined,
  iteration: number | undefined,
): Promise<ReinsError> {
  const { stages } = await client.get<RequestDetail>(`/requests/${encodeURIComponent(requestId)}`);
  const ofRequest = stages.filter(({ stage }) => (wanted ?? stage) === stage);
  const last = ofRequest.at(-1);
  if (last && ofRequest.every((run) => run.requestId !== requestId))
    return new ReinsError({
      code: 'wrong_usage',
      message: `${wanted === undefined ? 'the stages' : `stage ${wanted}`} of ${requestId} ran in ${childRunsText(
        ofRequest.map((run) => run.requestId),
      )}`,
      hint: `Show a snapshot with \`reins snapshot show ${last.requestId} --stage ${last.stage}\`.`,
    });
  const what = [wanted ?? 'a stage', iteration && `in iteration ${iteration}`].filter(Boolean).join(' ');
  return new ReinsError({
    code: 'wrong_usage',
    message: `${requestId} has not prepared ${what} yet`,
    hint: `Show its progress with \`reins requests events ${requestId}\`.`,
  });
}

/** Reads the stored turn request, which has no secrets. */
export async function snapshotOf(client: GatewayClient, { snapshotRef }: Preparation): Promise<TurnRequestSnapshot> {
  const bytes = await client.bytes(`/blobs/${snapshotRef.sha256}`);
  return JSON.parse(new TextDecoder().decode(bytes)) as TurnRequestSnapshot;
}

/** Every prepared stage, in order of completion. */
async function preparations(client: GatewayClient, requestId: string): Promise<readonly Preparation[]> {
  const requests = new Map<string, PrepareRequest>();
  const done: (readonly [PrepareRequest, PrepareResult])[] = [];
  const started = new StartedStages();
  for await (const { type, body } of listedEvents(client, requestId)) {
    started.add(body as unknown as AnyEvent);
    if (type === 'runtime.prepare.requested') requests.set(String(body.effectId), body as unknown as PrepareRequest);
    if (type !== 'runtime.prepare.completed') continue;
    const result = body as unknown as PrepareResult;
    const request = requests.get(result.effectId);
    if (request) done.push([request, result]);
  }
  return done.map(([request, result]) => preparationOf(request, result, started.of(result.hostRequestRef)));
}

function preparationOf(
  request: PrepareRequest,
  { snapshotRef, fingerprint }: PrepareResult,
  started: StartedStage | undefined,
): Preparation {
  const { requestId, workspaceId, stage, iteration, attempt, runtimeId } = request;
  return { requestId, workspaceId, stage, iteration, attempt, runtimeId, fingerprint, snapshotRef, request, started };
}
