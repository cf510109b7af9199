import type { CallToolResult } from '@modelcontextprotocol/client';
import { type JsonObject, problemOf } from '@reins/contracts';
import type { ReconnectingConnection } from '../client/reconnecting-connection.ts';
import { ArgumentGuard } from '../guard/argument-guard.ts';
import { type Denial, denialOf, type Gates } from '../guard/gate.ts';
import { type RunTool, schemaOf } from '../inventory/run-tool.ts';
import { boundedResult } from './bounded-result.ts';

/** The calls of one run: only what it may call, with arguments that fit, in the time that the server has. */
export class ToolCalls {
  readonly tools: readonly RunTool[];
  readonly #byName: ReadonlyMap<string, RunTool>;
  readonly #connections: ReadonlyMap<string, ReconnectingConnection>;
  readonly #gates: Gates;
  readonly #guard = new ArgumentGuard();
  readonly #denied: Denial[] = [];

  constructor(tools: readonly RunTool[], connections: ReadonlyMap<string, ReconnectingConnection>, gates: Gates) {
    this.tools = tools;
    this.#byName = new Map(tools.map((tool) => [tool.callableName, tool]));
    this.#connections = connections;
    this.#gates = gates;
  }

  /** Every call that was denied, each tool once. */
  get denied(): readonly Denial[] {
    return this.#denied;
  }

  /** The id of a tool by the name under which it is called. */
  idOf(callableName: string): string | undefined {
    return this.#byName.get(callableName)?.toolId;
  }

  /** One call. Whatever goes wrong is in the result, for the model to read: it never rejects. */
  async call(name: string, args: JsonObject, signal: AbortSignal): Promise<CallToolResult> {
    const tool = this.#byName.get(name);
    if (!tool) return failure(`there is no tool ${name}`);
    const denial = denialOf(tool.toolId, this.#gates);
    if (denial) return this.#deny(denial);
    const problems = await this.#guard.problems(tool.toolId, schemaOf(tool), args);
    if (problems.length > 0) return failure(`the arguments do not fit the tool: ${problems.join('; ')}`);
    const connection = this.#connections.get(tool.serverId);
    if (!connection) return failure(unavailableMessage(tool));
    const { closedReason, restarted } = await connection.ready();
    if (closedReason !== undefined) return failure(unavailableMessage(tool, closedReason));
    try {
      const result = boundedResult(await connection.call(tool.toolName, args, signal));
      return restarted ? { ...result, content: [...result.content, RESTARTED_NOTE] } : result;
    } catch (error) {
      return failure(`${problemOf(error).message}; whether the tool did its work is not known`);
    }
  }

  #deny(denial: Denial): CallToolResult {
    if (!this.#denied.some(({ toolId }) => toolId === denial.toolId)) this.#denied.push(denial);
    return { ...failure(`denied: ${denial.reason}`), structuredContent: { type: 'runtime.tool.denied', ...denial } };
  }
}

const unavailableMessage = ({ serverId }: RunTool, why?: string): string =>
  `MCP server '${serverId}' is not there any more${why ? `: ${why}` : ''}`;

/** Without it, a model would count on what the server kept in memory. */
const RESTARTED_NOTE = {
  type: 'text',
  text: '(the server of this tool had ended and was started again; what it kept in memory is lost)',
} as const;

function failure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
