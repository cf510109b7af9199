import type { BlobRef, EventOf, Stage } from '@reins/contracts';
import { ReinsError } from '@reins/contracts';
import type { TurnRequestSnapshot } from '@reins/runtime-config';
import { stageName } from '../arguments.ts';
import type { GatewayClient } from '../client/gateway-client.ts';
import { listedEvents } from '../client/listed-events.ts';

type Asked = EventOf<'runtime.prepare.requested'>;
type Answered = EventOf<'runtime.prepare.completed'>;

/** A stage of a request as it was prepared: what was asked for, and where what was sent is stored. */
export interface Preparation {
  readonly requestId: string;
  readonly workspaceId: string;
  readonly stage: Stage;
  readonly iteration: number;
  readonly attempt: number;
  readonly runtimeId: string;
  readonly fingerprint: string;
  readonly snapshotRef: BlobRef;
  readonly asked: Asked;
}

/**
 * The last preparation of a request, or of one of its stages.
 * @throws ReinsError `request_not_found`; `wrong_usage` when there is none, or `stage` is no stage
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
  const what = [wanted ?? 'a stage', iteration && `in iteration ${iteration}`].filter(Boolean).join(' ');
  throw new ReinsError({
    code: 'wrong_usage',
    message: `${requestId} has not prepared ${what}`,
    hint: `\`reins requests events ${requestId}\` shows how far it came`,
  });
}

/** The stored, sanitised copy of what was sent. */
export async function snapshotOf(client: GatewayClient, { snapshotRef }: Preparation): Promise<TurnRequestSnapshot> {
  const bytes = await client.bytes(`/blobs/${snapshotRef.sha256}`);
  return JSON.parse(new TextDecoder().decode(bytes)) as TurnRequestSnapshot;
}

/** Every stage that was prepared, in the order in which that was completed. */
async function preparations(client: GatewayClient, requestId: string): Promise<readonly Preparation[]> {
  const asked = new Map<string, Asked>();
  const done: Preparation[] = [];
  for await (const { type, body } of listedEvents(client, requestId)) {
    if (type === 'runtime.prepare.requested') asked.set(String(body.effectId), body as unknown as Asked);
    if (type !== 'runtime.prepare.completed') continue;
    const answer = body as unknown as Answered;
    const question = asked.get(answer.effectId);
    if (question) done.push(preparationOf(question, answer));
  }
  return done;
}

function preparationOf(asked: Asked, { snapshotRef, fingerprint }: Answered): Preparation {
  const { requestId, workspaceId, stage, iteration, attempt, runtimeId } = asked;
  return { requestId, workspaceId, stage, iteration, attempt, runtimeId, fingerprint, snapshotRef, asked };
}
