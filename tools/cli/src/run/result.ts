import type { JsonValue } from '@reins/contracts';
import type { RequestDetail } from '../client/api-types.ts';
import type { GatewayClient } from '../client/gateway-client.ts';
import { type Waiting, waitingOf } from './waiting.ts';

/** How a request stands or ended, as `reins run --json` and `npm start -- --once --json` print it. snake_case, as everything the CLI prints. */
export interface RunResult {
  readonly requestId: string;
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly status: string;
  readonly stages: readonly StageRow[];
  readonly output: JsonValue;
  readonly files: readonly ChangedFile[];
  readonly error?: { readonly code: string; readonly message: string };
  readonly cancelReason?: string;
  readonly waiting?: Waiting;
}

export interface StageRow {
  readonly stage: string;
  readonly runtime_id: string;
  readonly runtime_source: string | null;
  readonly attempt: number;
  readonly status: string;
}

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);
/** The read model follows the log by moments, and by longer when its database was away. */
const CATCH_UP_MS = 15_000;
const LOOK_EVERY_MS = 50;

/** How a request that has ended, ended: waits until the read model knows it, too. */
export async function endedResult(client: GatewayClient, requestId: string): Promise<RunResult> {
  const giveUpAt = performance.now() + CATCH_UP_MS;
  for (;;) {
    const request = await client.get<RequestDetail>(`/requests/${encodeURIComponent(requestId)}`);
    if (ENDED.has(request.status) || performance.now() > giveUpAt) return resultOf(client, request);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** The state of a request with what it changed in its workspace. */
export async function runResult(client: GatewayClient, requestId: string): Promise<RunResult> {
  return resultOf(client, await client.get<RequestDetail>(`/requests/${encodeURIComponent(requestId)}`));
}

async function resultOf(client: GatewayClient, request: RequestDetail): Promise<RunResult> {
  const { requestId, workspaceId, sessionId, status, output = null, error, cancelReason } = request;
  const files = await changedFiles(client, requestId);
  const waiting = await waitingOf(client, request);
  return {
    requestId,
    workspaceId,
    sessionId,
    status,
    stages: stageRows(request),
    output,
    files,
    ...(error && { error }),
    ...(cancelReason !== undefined && { cancelReason }),
    ...(waiting && { waiting }),
  };
}

export function stageRows({ stages }: RequestDetail): StageRow[] {
  return stages.map(({ stage, runtimeId, runtimeSource, attempt, status }) => ({
    stage,
    runtime_id: runtimeId,
    runtime_source: runtimeSource ?? null,
    attempt,
    status,
  }));
}

/** What the run changed, from the tree that it started from to the one that it has now. */
export async function changedFiles(client: GatewayClient, requestId: string): Promise<readonly ChangedFile[]> {
  return (await client.get<{ files: readonly ChangedFile[] }>(`/requests/${encodeURIComponent(requestId)}/changes`))
    .files;
}

export interface ChangedFile {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
}
