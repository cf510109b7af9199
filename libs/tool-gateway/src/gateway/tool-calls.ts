import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import { type JsonObject, problemOf } from '@reins/contracts';
import type { ReconnectingConnection } from '../client/reconnecting-connection.ts';
import { ArgumentGuard } from '../guard/argument-guard.ts';
import { type Denial, denialOf, type Gates } from '../guard/gate.ts';
import { type RunTool, schemaOf } from '../inventory/run-tool.ts';
import type { OwnTool } from '../own/own-tool.ts';
import { boundedResult } from './bounded-result.ts';
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
  readonly #metaOf: (serverId: string) => JsonObject | undefined;
  readonly #onOutput: ToolOutputListener;

  constructor(
    tools: readonly RunTool[],
    connections: ReadonlyMap<string, ReconnectingConnection>,
    gates: Gates,
    own: readonly OwnTool[] = [],
    metaOf: (serverId: string) => JsonObject | undefined = () => undefined,
    onOutput: ToolOutputListener = () => undefined,
  ) {
    this.tools = tools;
    this.#own = new Map(own.map((tool) => [tool.declaration.name, tool]));
    this.#byName = new Map(tools.map((tool) => [tool.callableName, tool]));
    this.#connections = connections;
    this.#gates = gates;
    this.#metaOf = metaOf;
    this.#onOutput = onOutput;
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

  /** Calls a tool. Returns every failure as a result for the model; never rejects. */
  async call(name: string, args: JsonObject, signal: AbortSignal): Promise<CallToolResult> {
    const own = this.#own.get(name);
    if (own) return this.#callOwn(own, args);
    const tool = this.#byName.get(name);
    if (!tool) return failure(`unknown tool ${name}`);
    const denial = denialOf(tool.toolId, this.#gates);
    if (denial) return this.#deny(denial);
    const problems = await this.#guard.problems(tool.toolId, schemaOf(tool), args);
    if (problems.length > 0) return failure(`invalid arguments: ${problems.join('; ')}`);
    const connection = this.#connections.get(tool.serverId);
    if (!connection) return failure(unavailableMessage(tool));
    const { closedReason, restarted } = await connection.ready();
    if (closedReason !== undefined) return failure(unavailableMessage(tool, closedReason));
    try {
      const extras = { meta: this.#metaOf(tool.serverId), onOutput: this.#outputOf(tool) };
      const result = boundedResult(await connection.call(tool.toolName, args, signal, extras));
      return restarted ? { ...result, content: [...result.content, RESTARTED_NOTE] } : result;
    } catch (error) {
      return failure(`${problemOf(error).message}; the outcome of the call is unknown`);
    }
  }

  /** Only the tools of the workspace are debugged here. Servers have logs of their own. */
  #outputOf({ toolId }: RunTool): ((text: string) => void) | undefined {
    return toolId.startsWith(WORKSPACE_TOOLS) ? boundedOutput(toolId, this.#onOutput) : undefined;
  }

  async #callOwn({ declaration, call }: OwnTool, args: JsonObject): Promise<CallToolResult> {
    const problems = await this.#guard.problems(declaration.name, declaration.inputSchema as JsonObject, args);
    if (problems.length > 0) return failure(`invalid arguments: ${problems.join('; ')}`);
    try {
      const result = await call(args);
      return { ...result, ...boundedResult(result) };
    } catch (error) {
      return failure(problemOf(error).message);
    }
  }

  #deny(denial: Denial): CallToolResult {
    if (!this.#denied.some(({ toolId }) => toolId === denial.toolId)) this.#denied.push(denial);
    return { ...failure(`denied: ${denial.reason}`), structuredContent: { type: 'runtime.tool.denied', ...denial } };
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
