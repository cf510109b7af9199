import type { CedarValueJson, Context, Entities, EntityUidJson } from '@cedar-policy/cedar-wasm/nodejs';
import type { JsonObject } from '@reins/contracts';
import { cedarValue } from './cedar-value.ts';

/** What is known about a call. Policies decide about nothing else; the words of a prompt are no input. */
export interface ToolCallContext {
  readonly agent: {
    readonly workspaceId: string;
    readonly agentId: string;
    /** The kind of its session. Absent: an ordinary one. */
    readonly sessionKind?: string | undefined;
    /** The user that the request works for. */
    readonly userId?: string | undefined;
    /** The name of the API key that submitted the request. */
    readonly actor?: string | undefined;
  };
  readonly tool: {
    /** `server.tool`, or the name of a built-in tool. */
    readonly toolId: string;
    /** The server. Absent: the tool is built in. */
    readonly serverId?: string | undefined;
    /** Whether its server says that it changes nothing. */
    readonly isReadOnly?: boolean | undefined;
  };
  readonly arguments: JsonObject;
  /** The JSON Schema of the arguments. */
  readonly schema?: JsonObject | undefined;
  readonly stage: string;
  readonly runtimeId: string;
}

/** A request of Cedar, without the policies. */
export interface CedarRequest {
  readonly principal: EntityUidJson;
  readonly action: EntityUidJson;
  readonly resource: EntityUidJson;
  readonly context: Context;
  readonly entities: Entities;
}

/** The group of the actions of all tools. */
const TOOL_CALLS = uid('Action', 'tool.call');
/** The server of tools that belong to an executor. */
const BUILT_IN = 'built-in';

/** The request that Cedar evaluates for a call. */
export function cedarRequest({ agent, tool, stage, runtimeId, ...call }: ToolCallContext): CedarRequest {
  const { workspaceId, agentId, sessionKind, userId, actor } = agent;
  const principal = uid('Agent', `${workspaceId}/${agentId}`);
  const action = uid('Action', tool.toolId);
  const resource = uid('Tool', tool.toolId);
  const server = tool.serverId ?? BUILT_IN;
  const agentFields = { workspace: workspaceId, id: agentId, session_kind: sessionKind, user: userId, actor };
  const toolFields = { server, read_only: tool.isReadOnly ?? false };
  return {
    principal,
    action,
    resource,
    context: { arguments: cedarValue(call.arguments, call.schema), stage, runtime: runtimeId },
    entities: [
      { uid: principal, attrs: known(agentFields), parents: [uid('Workspace', workspaceId)] },
      { uid: resource, attrs: toolFields, parents: [uid('Server', server)] },
      { uid: action, attrs: {}, parents: [TOOL_CALLS] },
    ],
  };
}

function uid(type: string, id: string) {
  return { type, id: id.toWellFormed() };
}

function known(fields: Readonly<Record<string, string | undefined>>): Record<string, CedarValueJson> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value.toWellFormed()]])),
  );
}
