import { ReinsError } from '@reins/contracts';
import { type Gateway, textField } from '../system/gateway.ts';
import { retryUntilAnswered } from './retry-until-answered.ts';

/** The workspaces of the load: one has the stage execute only, the other one has all stages. */
export const WORKSPACES = { plain: 'chaos-plain', loop: 'chaos-loop' } as const;
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

/** Uploads the workspaces, and returns their revisions. */
export async function uploadWorkspaces(gateway: Gateway): Promise<Readonly<Record<WorkspaceName, string>>> {
  return {
    plain: await upload(gateway, WORKSPACES.plain, workspaceFiles(WORKSPACES.plain)),
    loop: await upload(gateway, WORKSPACES.loop, workspaceFiles(WORKSPACES.loop, { pipeline: LOOP_PIPELINE })),
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
