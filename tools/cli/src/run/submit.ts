import { basename, resolve } from 'node:path';
import { type JsonValue, ReinsError } from '@reins/contracts';
import { capture, entriesOf, type TreeEntry } from '@reins/workspace-tree';
import type { GatewayClient } from '../client/gateway-client.ts';

export interface SubmitOptions {
  readonly dir: string;
  readonly input: JsonValue;
  readonly workspaceId?: string;
  readonly process?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly model?: string;
  readonly thinkingValue?: string;
  readonly stages?: Readonly<Record<string, string>>;
}

export interface Submitted {
  readonly requestId: string;
  readonly workspaceId: string;
  readonly revision: string;
}

/** Uploads the folder as a workspace revision and submits a request for it. */
export async function submit(client: GatewayClient, options: SubmitOptions): Promise<Submitted> {
  const workspaceId = options.workspaceId ?? workspaceIdOf(options.dir);
  const revision = await upload(client, workspaceId, options.dir);
  const { process, sessionId, agentId, model, thinkingValue, stages, input } = options;
  const body = {
    workspace: { id: workspaceId, revision },
    input,
    ...(process && { process }),
    ...(sessionId && { sessionId }),
    ...(agentId && { agentId }),
    ...(model && { model }),
    ...(thinkingValue && { thinkingValue }),
    ...(stages && { stages }),
  };
  const { requestId } = await client.post<{ requestId: string }>('/requests', body, {
    'idempotency-key': crypto.randomUUID(),
  });
  return { requestId, workspaceId, revision };
}

/** Uploads the folder as a revision of the workspace. @returns the revision */
export async function upload(client: GatewayClient, workspaceId: string, dir: string): Promise<string> {
  return (await client.post<{ revision: string }>('/workspaces', { workspaceId, files: await filesOf(dir) })).revision;
}

/** The folder name, reduced to the characters of a subject token. */
function workspaceIdOf(dir: string): string {
  const id = basename(resolve(dir))
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);
  if (id) return id;
  throw new ReinsError({
    code: 'wrong_usage',
    message: `cannot derive a workspace id from ${dir}`,
    hint: 'Set one with --workspace.',
  });
}

/** The state folder of an installation is not part of a workspace. */
export const IGNORED = ['/.reins/'];

async function filesOf(dir: string): Promise<readonly TreeEntry[]> {
  return entriesOf(await capture(dir, { ignore: IGNORED }));
}
