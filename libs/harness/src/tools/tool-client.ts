import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { CALL_ID_FIELD } from './question.ts';

/** A server of tools, and the names of its tools. */
export interface ToolEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tools: readonly { readonly name: string }[];
}

interface ToolCallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
  /** The id that the model gave the call. */
  readonly callId?: string;
}

const CLIENT = { name: 'reins-executor', version: '1' };
const CONNECT_MS = 15_000;

/**
 * The executor's client of the run's tool gateway. It imports only modules without imports of their own, because
 * foreign executors load it too. The gateway enforces the timeouts of tools, so the timeout here is that of the whole run.
 */
export class ToolClient {
  readonly #clients: readonly Client[];
  readonly #owner: ReadonlyMap<string, Client>;

  private constructor(clients: readonly Client[], endpoints: readonly ToolEndpoint[]) {
    this.#clients = clients;
    this.#owner = new Map(
      endpoints.flatMap(({ tools }, index) => tools.map(({ name }) => [name, clients[index] as Client] as const)),
    );
  }

  /** @throws Error when an endpoint does not respond */
  static async connect(endpoints: readonly ToolEndpoint[], signal?: AbortSignal): Promise<ToolClient> {
    const clients = endpoints.map(() => new Client(CLIENT));
    try {
      await Promise.all(
        endpoints.map(({ url, headers }, index) => {
          const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
          return clients[index]?.connect(transport, { timeout: CONNECT_MS, ...(signal && { signal }) });
        }),
      );
      return new ToolClient(clients, endpoints);
    } catch (error) {
      await Promise.all(clients.map((client) => client.close().catch(() => undefined)));
      throw error;
    }
  }

  /** @throws Error when the tool does not exist or does not respond */
  async call(
    name: string,
    args: Record<string, unknown>,
    { signal, timeoutMs, callId }: ToolCallOptions,
  ): Promise<CallToolResult> {
    const client = this.#owner.get(name);
    if (!client) throw new Error(`unknown tool ${name}`);
    const meta = callId === undefined ? {} : { _meta: { [CALL_ID_FIELD]: callId } };
    return client.callTool({ name, arguments: args, ...meta }, { timeout: timeoutMs, ...(signal && { signal }) });
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close().catch(() => undefined)));
  }
}

/** The text of a result. Parts of other types are replaced by their type. */
export function resultText({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n');
}
