import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The address of a server of tools. */
export interface ToolEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A tool as it is declared to a model. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments, an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

const CLIENT = { name: 'reins-executor', version: '1' };
const CONNECT_MS = 15_000;

/**
 * The executor's client of the run's tool gateway. It imports no other module of Reins, because foreign executors
 * load it too. The gateway enforces the timeouts of tools, so the timeout here is that of the whole run.
 */
export class ToolClient {
  readonly tools: readonly OfferedTool[];
  readonly #clients: readonly Client[];
  readonly #owner: ReadonlyMap<string, Client>;

  private constructor(clients: readonly Client[], found: readonly (readonly [Client, readonly OfferedTool[]])[]) {
    this.#clients = clients;
    this.#owner = new Map(found.flatMap(([client, tools]) => tools.map(({ name }) => [name, client] as const)));
    this.tools = found.flatMap(([client, tools]) => tools.filter(({ name }) => this.#owner.get(name) === client));
  }

  /** @throws Error when an endpoint does not respond */
  static async connect(endpoints: readonly ToolEndpoint[], signal?: AbortSignal): Promise<ToolClient> {
    const clients = endpoints.map(() => new Client(CLIENT));
    try {
      const found = await Promise.all(
        endpoints.map(async ({ url, headers }, index) => {
          const client = clients[index] as Client;
          const options = { timeout: CONNECT_MS, ...(signal && { signal }) };
          await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }), options);
          const { tools } = await client.listTools(undefined, options);
          return [client, tools.map(offered)] as const;
        }),
      );
      return new ToolClient(clients, found);
    } catch (error) {
      await Promise.all(clients.map((client) => client.close().catch(() => undefined)));
      throw error;
    }
  }

  has(name: string): boolean {
    return this.#owner.has(name);
  }

  /** @throws Error when the tool does not exist or does not respond */
  async call(
    name: string,
    args: Record<string, unknown>,
    { signal, timeoutMs }: { readonly signal?: AbortSignal; readonly timeoutMs: number },
  ): Promise<CallToolResult> {
    const client = this.#owner.get(name);
    if (!client) throw new Error(`unknown tool ${name}`);
    return client.callTool({ name, arguments: args }, { timeout: timeoutMs, ...(signal && { signal }) });
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close().catch(() => undefined)));
  }
}

/** The text of a result. Parts of other types are replaced by their type. */
export function resultText({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n');
}

function offered(tool: { name: string; description?: string | undefined; inputSchema: object }): OfferedTool {
  return { name: tool.name, description: tool.description ?? '', parameters: { ...tool.inputSchema } };
}
