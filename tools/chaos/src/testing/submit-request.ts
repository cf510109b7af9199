import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@reins/contracts';
import { until } from '@reins/testing';
import { retryUntilAnswered } from '../load/retry-until-answered.ts';
import { upload } from '../load/workspaces.ts';
import { type HttpResponse, type SubmitBody, textField } from '../system/gateway.ts';
import type { RunningSystem } from '../system/start.ts';

const END_TIMEOUT_MS = 300_000;
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** The fields of an ended request that tests use, from the HTTP API. */
export interface EndedRequest {
  readonly requestId: string;
  readonly status: string;
  readonly output?: unknown;
  readonly error?: JsonObject;
  readonly tree?: string;
  readonly stages: readonly JsonObject[];
}

type Request = Omit<SubmitBody, 'workspace'>;
type Files = readonly { readonly path: string; readonly content: string }[];

/** Uploads a workspace, submits one request on it, and waits for its end. */
export async function runWorkspace(
  running: RunningSystem,
  workspaceId: string,
  files: Files,
  request: Request,
): Promise<EndedRequest> {
  return endOf(running, await submit(running, workspaceId, files, request));
}

/** Uploads a workspace and submits one request on it. Resolves with its id when it is accepted. */
export async function submit(
  { gateway }: RunningSystem,
  workspaceId: string,
  files: Files,
  request: Request,
): Promise<string> {
  const revision = await upload(gateway, workspaceId, files);
  const body = { workspace: { id: workspaceId, revision }, ...request };
  const key = crypto.randomUUID();
  const { response } = await retryUntilAnswered(() => gateway.post('/requests', body, key));
  if (response.status !== 202) throw new Error(`not accepted: ${response.status} ${JSON.stringify(response.body)}`);
  return textField(response, 'requestId');
}

/** Waits until a request has ended. */
export async function endOf({ gateway }: RunningSystem, requestId: string): Promise<EndedRequest> {
  const ended = await until(
    async () => {
      const view = await gateway.get(`/requests/${requestId}`);
      return ENDED.has(textField(view, 'status')) ? view : undefined;
    },
    { what: `the end of ${requestId}`, timeoutMs: END_TIMEOUT_MS },
  );
  return (ended as HttpResponse).body as EndedRequest;
}

/** Reads the files of a folder, with relative paths. */
export function filesOf(folder: string): { path: string; content: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => ({ path: file.slice(folder.length + 1), content: readFileSync(file, 'utf8') }));
}
