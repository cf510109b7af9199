import type { ResolvedApplicationRuntime } from '../plan.ts';
import type { McpServerPayload } from './payloads.ts';

/** The caller that is passed to the MCP server of an application in headers. */
export interface AppCaller {
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly inputId: string;
}

/** The payload of a started application's MCP server, which listens on `port`. */
export function appMcpServerPayload(
  app: ResolvedApplicationRuntime,
  port: number,
  caller: AppCaller,
): McpServerPayload {
  return {
    name: app.app_id,
    config: {
      type: 'remote',
      enabled: true,
      url: `http://localhost:${port}${app.mcp.path}`,
      headers: {
        'X-Workspace-Id': caller.workspaceId,
        'X-Holaboss-Workspace-Id': caller.workspaceId,
        'X-Holaboss-Session-Id': caller.sessionId,
        'X-Holaboss-Input-Id': caller.inputId,
      },
      timeout: app.health_check.timeout_s * 1000,
    },
  };
}
