import { ReinsError } from '@reins/contracts';
import { type Gateway, textField } from '../system/gateway.ts';
import { retryUntilAnswered } from './retry-until-answered.ts';

/**
 * The workspaces of the load: one has the stage execute only, one has all stages, and one has an application whose setup
 * takes long.
 */
export const WORKSPACES = { plain: 'chaos-plain', loop: 'chaos-loop', slow: 'chaos-slow' } as const;
export type WorkspaceName = keyof typeof WORKSPACES;

export const LOOP_PIPELINE = 'pipeline:\n  stages: [interview, execute, evaluate, reflect]\n  max_iterations: 3\n';

/** The files of a workspace with a model of the given provider. */
export function workspaceFiles(id: string, options: { readonly pipeline?: string; readonly provider?: string } = {}) {
  const yaml = [
    `template_id: ${id}`,
    `name: ${id}`,
    'agents:',
    '  id: chaos.worker',
    `  model: ${options.provider ?? 'scripted'}/scripted-model`,
    'mcp_registry:',
    '  servers: {}',
    options.pipeline ?? '',
  ].join('\n');
  return [
    { path: 'workspace.yaml', content: yaml },
    { path: 'AGENTS.md', content: '# The worker\n\nFollow the instructions.\n' },
  ];
}

/** Longer than the deadline for the claim in the mode `slow-preparation`, with its margin. */
const SETUP_SECONDS = 8;

/** The files of a workspace with an application whose setup takes long. Its server has no tools. */
export function slowWorkspaceFiles(id: string) {
  const application = 'applications:\n  - app_id: slow\n    config_path: apps/slow/app.runtime.yaml';
  const runtime = [
    'app_id: slow',
    'name: Slow',
    'mcp: {transport: streamable-http, port: 3099, path: /mcp}',
    'healthchecks: {mcp: {path: /health, timeout_s: 15, interval_s: 1}}',
    `lifecycle: {setup: sleep ${SETUP_SECONDS}, start: node server.mjs}`,
  ].join('\n');
  const server = `import { createServer } from 'node:http';
createServer((_, response) => response.end()).listen(Number(process.env.MCP_PORT), '127.0.0.1');
`;
  return [
    ...workspaceFiles(id, { pipeline: application }),
    { path: 'apps/slow/app.runtime.yaml', content: runtime },
    { path: 'apps/slow/server.mjs', content: server },
  ];
}

/** Uploads the workspaces, and returns their revisions. */
export async function uploadWorkspaces(gateway: Gateway): Promise<Readonly<Record<WorkspaceName, string>>> {
  return {
    plain: await upload(gateway, WORKSPACES.plain, workspaceFiles(WORKSPACES.plain)),
    loop: await upload(gateway, WORKSPACES.loop, workspaceFiles(WORKSPACES.loop, { pipeline: LOOP_PIPELINE })),
    slow: await upload(gateway, WORKSPACES.slow, slowWorkspaceFiles(WORKSPACES.slow)),
  };
}

export async function upload(
  gateway: Gateway,
  workspaceId: string,
  files: readonly { readonly path: string; readonly content: string }[],
): Promise<string> {
  const { response } = await retryUntilAnswered(() => gateway.post('/workspaces', { workspaceId, files }));
  if (response.status === 201) return textField(response, 'revision');
  const message = `upload of workspace ${workspaceId} failed: ${response.status} ${JSON.stringify(response.body)}`;
  throw new ReinsError({ code: 'internal_error', message });
}
