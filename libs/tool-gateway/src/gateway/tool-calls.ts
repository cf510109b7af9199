import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import { type JsonObject, problemOf } from '@reins/contracts';
import { type CallPolicy, decideCall } from '@reins/harness';
import type { ReconnectingConnection } from '../client/reconnecting-connection.ts';
import { ArgumentGuard } from '../guard/argument-guard.ts';
import {
  type CallAuthority,
  type CallRefusal,
  type DecidedCall,
  type Denial,
  type Gates,
  isUnapproved,
} from '../guard/gate.ts';
import { type RunTool, schemaOf } from '../inventory/run-tool.ts';
import type { OwnTool } from '../own/own-tool.ts';
import { boundedResult } from './bounded-result.ts';
import type { Elicitations } from './elicitations.ts';
import { boundedOutput, type ToolOutputListener } from './tool-output.ts';

const WORKSPACE_TOOLS = 'workspace.';

/** The tool calls of one run: checks that the tool is allowed and its arguments are valid, then calls its server. */
export class ToolCalls {
  readonly tools: readonly RunTool[];
  readonly #byName: ReadonlyMap<string, RunTool>;
  readonly #connections: ReadonlyMap<string, ReconnectingConnection>;
  readonly #gates: Gates;
  readonly #guard = new ArgumentGuard();
  readonly #own: ReadonlyMap<string, OwnTool>;
  readonly #elicitations: Elicitations | undefined;
  readonly #metaOf: (serverId: string) => JsonObject | undefined;
  readonly #onOutput: ToolOutputListener;
  readonly #authority: CallAuthority | undefined;
  readonly #onDenied: (denial: Denial) => void;

  constructor(
    tools: readonly RunTool[],
    connections: ReadonlyMap<string, ReconnectingConnection>,
    gates: Gates,
    own: readonly OwnTool[] = [],
    metaOf: (serverId: string) => JsonObject | undefined = () => undefined,
    elicitations?: Elicitations,
    onOutput: ToolOutputListener = () => undefined,
    { authority, onDenied = () => undefined }: CallDecisionPorts = {},
  ) {
    this.#authority = authority;
    this.#onDenied = onDenied;
    this.tools = tools;
    this.#own = new Map(own.map((tool) => [tool.declaration.name, tool]));
    this.#byName = new Map(tools.map((tool) => [tool.callableName, tool]));
    this.#connections = connections;
    this.#gates = gates;
    this.#metaOf = metaOf;
    this.#onOutput = onOutput;
    this.#elicitations = elicitations;
  }

  /** The declarations of all tools: those of Reins, then those of servers. */
  get declarations(): readonly Tool[] {
    return [...this.#own.values(), ...this.tools].map(({ declaration }) => declaration);
  }

  /** Returns the id of a tool by its callable name. */
  idOf(callableName: string): string | undefined {
    return this.#byName.get(callableName)?.toolId;
  }

  /**
   * Calls a tool: checks its arguments, decides about the call, then executes it. Returns every failure as a result for
   * the model; never rejects.
   */
  async call(name: string, args: JsonObject, signal: AbortSignal, callId?: string): Promise<CallToolResult> {
    const own = this.#own.get(name);
    const tool = this.#byName.get(name);
    const toolId = tool?.toolId ?? name;
    const schema = own ? (own.declaration.inputSchema as JsonObject) : tool && schemaOf(tool);
    const problems = schema ? await this.#guard.problems(toolId, schema, args) : [];
    if (problems.length > 0) return failure(`invalid arguments: ${problems.join('; ')}`);
    const server = tool
      ? { serverId: tool.serverName, isReadOnly: tool.policy === 'inspect' }
      : { serverId: OWN_SERVER };
    const refused = this.#refusalOf({ toolId, ...server, args, schema, callId }, schema !== undefined);
    if (refused) return refused;
    return own ? callOwn(own, args) : this.#execute(tool as RunTool, args, signal);
  }

  /**
   * Decides about a call of a tool that belongs to the executor. Returns what the model reads instead of a result;
   * undefined when the call may be executed.
   */
  refusalOfBuiltIn(toolId: string, args: JsonObject, callId?: string): string | undefined {
    const refusal = this.#authority?.refusalOf({ toolId, args, callId });
    if (!refusal) return undefined;
    this.#onDenied(denialOf(toolId, callId, refusal));
    return textOf(refusal);
  }

  /** The result of a call that is not allowed; undefined when it is. */
  #refusalOf(call: DecidedCall, isKnown: boolean): CallToolResult | undefined {
    const { toolId, callId } = call;
    const refusal = this.#surfaceRefusal(toolId, isKnown) ?? this.#authority?.refusalOf(call);
    if (!refusal) return undefined;
    const denial = denialOf(toolId, callId, refusal);
    this.#onDenied(denial);
    const { policyId, reason } = denial;
    const structuredContent = { type: 'runtime.tool.denied', code: refusal.code, toolId, policyId, reason };
    return { ...failure(textOf(refusal)), structuredContent };
  }

  /** Refuses tools that the run does not have, and gated tools that the user has not approved. */
  #surfaceRefusal(toolId: string, isKnown: boolean): Refusal | undefined {
    const policy: CallPolicy = { has: () => isKnown, needsApproval: (id) => isUnapproved(id, this.#gates) };
    const decision = decideCall(toolId, policy);
    if (decision.effect === 'allow') return undefined;
    const policyId = decision.effect === 'deny' ? 'capability_surface' : 'gated_tools';
    return { ...decision, policyId };
  }

  async #execute(tool: RunTool, args: JsonObject, signal: AbortSignal): Promise<CallToolResult> {
    const connection = this.#connections.get(tool.serverId);
    if (!connection) return failure(unavailableMessage(tool));
    const { closedReason, restarted } = await connection.ready();
    if (closedReason !== undefined) return failure(unavailableMessage(tool, closedReason));
    try {
      const extras = { meta: this.#metaOf(tool.serverId), onOutput: this.#outputOf(tool) };
      const raw = await connection.call(tool.toolName, args, signal, extras);
      const question = this.#elicitations?.questionOf(tool.serverId);
      if (question) return question;
      const result = boundedResult(raw);
      return restarted ? { ...result, content: [...result.content, RESTARTED_NOTE] } : result;
    } catch (error) {
      // A server may fail because it got no answer.
      const question = this.#elicitations?.questionOf(tool.serverId);
      return question ?? failure(`${problemOf(error).message}; the outcome of the call is unknown`);
    }
  }

  /** Only the tools of the workspace are debugged here. Servers have logs of their own. */
  #outputOf({ toolId }: RunTool): ((text: string) => void) | undefined {
    return toolId.startsWith(WORKSPACE_TOOLS) ? boundedOutput(toolId, this.#onOutput) : undefined;
  }
}

/** Who decides about calls, and who learns of those that are refused. */
export interface CallDecisionPorts {
  /** The policy of the run. Absent: it permits everything. */
  readonly authority?: CallAuthority | undefined;
  readonly onDenied?: ((denial: Denial) => void) | undefined;
}

interface Refusal extends Omit<CallRefusal, 'code'> {
  readonly code: CallRefusal['code'] | 'tool_not_allowed';
}

/** The server of the tools of Reins, in policies. */
const OWN_SERVER = 'reins';
/** The names of unknown tools come from models. */
const MAX_NAME = 200;

const denialOf = (toolId: string, callId: string | undefined, { policyId, reason }: Refusal): Denial => ({
  toolId: toolId.trim().slice(0, MAX_NAME) || '(blank)',
  ...(callId !== undefined && { callId: callId.slice(0, MAX_NAME) }),
  policyId,
  reason,
});

const textOf = ({ reason, code }: Refusal): string => `denied: ${reason} (${code})`;

async function callOwn({ call }: OwnTool, args: JsonObject): Promise<CallToolResult> {
  try {
    const result = await call(args);
    return { ...result, ...boundedResult(result) };
  } catch (error) {
    return failure(problemOf(error).message);
  }
}

const unavailableMessage = ({ serverId }: RunTool, reason?: string): string =>
  `MCP server '${serverId}' is no longer available${reason ? `: ${reason}` : ''}`;

/** Without this note, a model may rely on the in-memory state of the server. */
const RESTARTED_NOTE = {
  type: 'text',
  text: '(the server of this tool had exited and was restarted; its in-memory state is lost)',
} as const;

function failure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
