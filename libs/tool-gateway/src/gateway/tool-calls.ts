import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import { type JsonObject, problemOf } from '@reins/contracts';
import { type CallPolicy, decideCall, refusalOf } from '@reins/harness';
import type { ReconnectingConnection } from '../client/reconnecting-connection.ts';
import { ArgumentGuard } from '../guard/argument-guard.ts';
import { type Denial, type Gates, isUnapproved } from '../guard/gate.ts';
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
  readonly #denied: Denial[] = [];
  readonly #own: ReadonlyMap<string, OwnTool>;
  readonly #elicitations: Elicitations | undefined;
  readonly #metaOf: (serverId: string) => JsonObject | undefined;
  readonly #onOutput: ToolOutputListener;

  constructor(
    tools: readonly RunTool[],
    connections: ReadonlyMap<string, ReconnectingConnection>,
    gates: Gates,
    own: readonly OwnTool[] = [],
    metaOf: (serverId: string) => JsonObject | undefined = () => undefined,
    elicitations?: Elicitations,
    onOutput: ToolOutputListener = () => undefined,
  ) {
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

  /** The denied tools, each listed once. */
  get denied(): readonly Denial[] {
    return this.#denied;
  }

  /** Returns the id of a tool by its callable name. */
  idOf(callableName: string): string | undefined {
    return this.#byName.get(callableName)?.toolId;
  }

  /**
   * Calls a tool: checks its arguments, decides about the call, then executes it. Returns every failure as a result for
   * the model; never rejects.
   */
  async call(name: string, args: JsonObject, signal: AbortSignal): Promise<CallToolResult> {
    const own = this.#own.get(name);
    const tool = this.#byName.get(name);
    const toolId = tool?.toolId ?? name;
    const schema = own ? (own.declaration.inputSchema as JsonObject) : tool && schemaOf(tool);
    const problems = schema ? await this.#guard.problems(toolId, schema, args) : [];
    if (problems.length > 0) return failure(`invalid arguments: ${problems.join('; ')}`);
    const refused = this.#refusalOf(toolId, schema !== undefined);
    if (refused) return refused;
    return own ? callOwn(own, args) : this.#execute(tool as RunTool, args, signal);
  }

  /** The result of a call that is not allowed; undefined when it is. */
  #refusalOf(toolId: string, isKnown: boolean): CallToolResult | undefined {
    const policy: CallPolicy = { has: () => isKnown, needsApproval: (id) => isUnapproved(id, this.#gates) };
    const decision = decideCall(toolId, policy);
    const refusal = refusalOf(decision);
    if (decision.effect === 'allow' || refusal === undefined) return undefined;
    const { code, reason } = decision;
    if (decision.effect === 'deny') return { ...failure(refusal), structuredContent: { code } };
    const denial = { toolId, policyId: 'gated_tools', reason };
    if (!this.#denied.some((each) => each.toolId === toolId)) this.#denied.push(denial);
    return { ...failure(refusal), structuredContent: { type: 'runtime.tool.denied', code, ...denial } };
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
