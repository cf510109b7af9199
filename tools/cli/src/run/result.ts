import { defined, type ErrorInfo, type JsonValue, problemOf } from '@reins/contracts';
import type {
  ApprovalDetail,
  KeptSignalDetail,
  ParkedDetail,
  RequestDetail,
  UnavailableServerDetail,
  UsageDetail,
  WaitDetail,
} from '../client/api-types.ts';
import type { GatewayClient } from '../client/gateway-client.ts';
import { subjectText } from '../output/question-lines.ts';
import { type StageRow, stageRows } from './stage-rows.ts';
import { type Waiting, waitingOf, waitsOf } from './waiting.ts';

/** The result of a request, as `reins run --json` and `npm start -- --once --json` print it. */
export interface RunResult {
  readonly requestId: string;
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly status: string;
  /** Absent while it is not known. */
  readonly input?: JsonValue;
  /** The first line of the input. */
  readonly inputLine?: string;
  readonly stages: readonly StageRow[];
  readonly output: JsonValue;
  readonly files: readonly ChangedFile[];
  readonly error?: ErrorInfo;
  readonly cancelReason?: string;
  readonly cancelledBy?: string;
  readonly halted?: boolean;
  readonly haltReason?: string;
  readonly haltedBy?: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly durationMs?: number;
  readonly usage?: RequestUsage;
  readonly waiting?: Waiting;
  /** What the request and its child runs wait for. */
  readonly waits?: readonly WaitDetail[];
  /** How many waits there are, if `waits` does not have them all. */
  readonly waitCount?: number;
  /** The approvals and breakpoints of the request, without their data. */
  readonly approvals?: readonly Approval[];
  /** Signals that nothing waited for when they arrived. */
  readonly keptSignals?: readonly KeptSignalDetail[];
  /** MCP servers that stages ran without, or without some of their tools. */
  readonly unavailableServers?: readonly UnavailableServerDetail[];
  readonly retryOf?: string;
  readonly retriedBy?: readonly string[];
  readonly parked?: ParkedDetail;
}

/** An approval or a breakpoint, and the decision about it. `showApproval` prints its data. */
export type Approval = Omit<ApprovalDetail, 'subject'> & { readonly label?: string };

/** The tokens of all stages, and their cost. Before the first model call there is no cost. */
export type RequestUsage = Omit<UsageDetail, 'costUsd'> & { readonly costUsd?: number | 'unknown' };

/** The statuses of a request that has ended. */
export const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);
/** Maximum wait for the read model to catch up; long enough for a restart of its database. */
const CATCH_UP_MS = 15_000;
const POLL_INTERVAL_MS = 50;

/** Returns the result of an ended request. Polls until the read model shows it as ended, for at most 15 s. */
export async function waitForFinalResult(client: GatewayClient, requestId: string): Promise<RunResult> {
  const deadline = performance.now() + CATCH_UP_MS;
  for (;;) {
    const request = await client.get<RequestDetail>(`/requests/${encodeURIComponent(requestId)}`);
    if (ENDED.has(request.status) || performance.now() > deadline) return resultOf(client, request);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

/** The current result of a request, with the files that it changed. */
export async function runResult(client: GatewayClient, requestId: string): Promise<RunResult> {
  return resultOf(client, await client.get<RequestDetail>(`/requests/${encodeURIComponent(requestId)}`));
}

async function resultOf(client: GatewayClient, request: RequestDetail): Promise<RunResult> {
  const { requestId, workspaceId, sessionId, status, output = null, error, cancelReason } = request;
  const files = await changedFiles(client, requestId);
  const waiting = await waitingOf(client, request);
  const waits = waitsOf(request, waiting);
  return {
    requestId,
    workspaceId,
    sessionId,
    status,
    ...defined({ input: request.input, inputLine: request.inputLine }),
    stages: stageRows(request),
    output,
    files,
    ...(error && { error }),
    ...defined({ cancelReason, cancelledBy: request.cancelledBy }),
    ...(request.halted && { halted: true }),
    ...defined({ haltReason: request.haltReason, haltedBy: request.haltedBy }),
    ...timesOf(request),
    ...(request.usage && { usage: { ...request.usage, ...costOf(request.usage) } }),
    ...(waiting && { waiting }),
    ...(waits.length > 0 && { waits }),
    ...defined({ waitCount: request.waitCount }),
    ...approvalsOf(request),
    ...(request.keptSignals && { keptSignals: request.keptSignals }),
    ...(request.unavailableServers && { unavailableServers: request.unavailableServers }),
    ...defined({ retryOf: request.retryOf }),
    ...(request.retriedBy && { retriedBy: request.retriedBy }),
    ...(request.parked && { parked: request.parked }),
  };
}

function approvalsOf({ approvals = [] }: RequestDetail): Pick<RunResult, 'approvals'> {
  if (approvals.length === 0) return {};
  return {
    approvals: approvals.map(({ subject, ...approval }) => ({
      ...approval,
      ...defined({ label: subjectText(subject) }),
    })),
  };
}

function timesOf({ startedAt, endedAt, durationMs }: RequestDetail) {
  return defined({ startedAt, endedAt, durationMs });
}

/** The cost of the model calls: unknown without the price of each; nothing before the first call. */
function costOf({ costUsd, inputTokens, outputTokens, source }: UsageDetail): Pick<RequestUsage, 'costUsd'> {
  const isCalled = source !== undefined || inputTokens + outputTokens > 0;
  return isCalled ? { costUsd: costUsd ?? 'unknown' } : {};
}

/**
 * The differences between the tree that the request started from and its current tree. A child run without stages has
 * no tree, and has changed nothing.
 */
export async function changedFiles(client: GatewayClient, requestId: string): Promise<readonly ChangedFile[]> {
  const path = `/requests/${encodeURIComponent(requestId)}/changes`;
  try {
    return (await client.get<{ files: readonly ChangedFile[] }>(path)).files;
  } catch (error) {
    if (problemOf(error).code === 'tree_not_found') return [];
    throw error;
  }
}

export interface ChangedFile {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
}
