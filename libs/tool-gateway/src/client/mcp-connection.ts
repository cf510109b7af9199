import {
  type CallToolResult,
  Client,
  type JsonSchemaValidatorResult,
  type jsonSchemaValidator,
  type ListToolsResult,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { type JsonObject, ReinsError } from '@reins/contracts';
import type { RemoteMcpConfig } from '@reins/runtime-config';
import { withoutHostPaths } from '../errors/error-excerpt.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { ProcessTransport } from './process-transport.ts';
import { DEFAULT_TIMEOUT_MS, type ProcessContext, type ServerSpec } from './server-spec.ts';

const CLIENT = { name: 'reins', version: '1' };
const MAX_PAGES = 20;
const CLOSE_MS = 2000;
const PING_MS = 5000;
/** What a server says of its answers' form is for its client to read; a schema of a stranger is not run here. */
const ACCEPT_ANY_OUTPUT: jsonSchemaValidator = {
  getValidator:
    <T>() =>
    (value: unknown) =>
      ({ valid: true, data: value as T, errorMessage: undefined }) as JsonSchemaValidatorResult<T>,
};

/** A connection to one MCP server, local or remote. */
export class McpConnection {
  readonly spec: ServerSpec;
  readonly #context: ProcessContext;
  readonly #client: Client;
  readonly #transport: Transport;
  #closed = false;

  private constructor(spec: ServerSpec, context: ProcessContext, client: Client, transport: Transport) {
    this.spec = spec;
    this.#context = context;
    this.#client = client;
    this.#transport = transport;
    client.onclose = () => {
      this.#closed = true;
    };
  }

  /**
   * Starts or reaches a server and greets it.
   * @throws ReinsError `mcp_server_failed` when it does not answer in time, or not in the protocol
   */
  static async open(spec: ServerSpec, context: ProcessContext, signal: AbortSignal): Promise<McpConnection> {
    const { config } = spec;
    if (config.type === 'local')
      return McpConnection.#connect(spec, context, new ProcessTransport(config, context), signal);
    const url = urlOf(spec, config);
    const options = { requestInit: { headers: { ...config.headers } }, fetch: boundedFetch };
    try {
      return await McpConnection.#connect(spec, context, new StreamableHTTPClientTransport(url, options), signal);
    } catch (error) {
      // What the protocol says of older servers: one that refuses the first message may speak its earlier transport.
      if (!mayNeedSse(error)) throw error;
      return McpConnection.#connect(spec, context, new SSEClientTransport(url, options), signal);
    }
  }

  static async #connect(
    spec: ServerSpec,
    context: ProcessContext,
    transport: Transport,
    signal: AbortSignal,
  ): Promise<McpConnection> {
    const client = new Client(CLIENT, { jsonSchemaValidator: ACCEPT_ANY_OUTPUT, listMaxPages: MAX_PAGES });
    const connection = new McpConnection(spec, context, client, transport);
    try {
      await client.connect(transport, { signal, timeout: connection.#timeout });
      return connection;
    } catch (error) {
      const failure = connection.#failure(error);
      await connection.close();
      throw failure;
    }
  }

  /** @throws ReinsError `mcp_server_failed` */
  async listTools(signal: AbortSignal): Promise<ListToolsResult> {
    try {
      const options = { signal, timeout: this.#timeout, cacheMode: 'refresh' as const };
      return await this.#client.listTools(undefined, options);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** @throws ReinsError `mcp_server_failed` when there is no answer in time; a tool that fails says so in its result */
  async call(name: string, args: JsonObject, signal: AbortSignal): Promise<CallToolResult> {
    try {
      const timeout = this.#timeout;
      return await this.#client.callTool({ name, arguments: args }, { signal, timeout, maxTotalTimeout: timeout });
    } catch (error) {
      if (!signal.aborted) void this.#stopIfUnresponsive();
      throw this.#failure(error);
    }
  }

  /** Why it can be used no more; undefined while it can. */
  get closedReason(): string | undefined {
    if (!this.#closed) return undefined;
    return (this.#transport instanceof ProcessTransport && this.#transport.ended) || 'the connection was closed';
  }

  /** Ends it, and the process that it started. Never rejects. */
  async close(): Promise<void> {
    const late = AbortSignal.timeout(CLOSE_MS);
    const closed = this.#client.close().catch(() => undefined);
    // A process has its own way down, which is bounded; a remote server is only told.
    if (this.#transport instanceof ProcessTransport) await Promise.all([closed, this.#transport.close()]);
    else await Promise.race([closed, new Promise((resolve) => late.addEventListener('abort', resolve))]);
  }

  /** What a manifest left empty is no time at all. */
  get #timeout(): number {
    return this.spec.config.timeout || DEFAULT_TIMEOUT_MS;
  }

  /** After a call without an answer: a process that answers nothing at all any more, such as one in an endless loop, is ended. */
  async #stopIfUnresponsive(): Promise<void> {
    const transport = this.#transport;
    if (!(transport instanceof ProcessTransport) || this.#closed) return;
    await this.#client.ping({ timeout: PING_MS }).catch((error: unknown) => {
      const silent = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
      if (silent) transport.giveUp('it answers nothing any more');
    });
  }

  #failure(error: unknown): ReinsError {
    const why =
      this.closedReason ?? withoutHostPaths(error instanceof Error ? error.message : String(error), this.#context);
    const message = `MCP server '${this.spec.serverId}': ${why}`.slice(0, 1000);
    return new ReinsError({ code: 'mcp_server_failed', message }, { cause: error });
  }
}

function mayNeedSse(error: unknown): boolean {
  const cause = error instanceof ReinsError ? error.cause : error;
  return cause instanceof SdkHttpError && [400, 404, 405].includes(cause.status ?? 0);
}

function urlOf({ serverId }: ServerSpec, { url }: RemoteMcpConfig): URL {
  const parsed = URL.parse(url);
  if (parsed && (parsed.protocol === 'http:' || parsed.protocol === 'https:')) return parsed;
  throw new ReinsError({ code: 'mcp_server_failed', message: `MCP server '${serverId}': its url is no http address` });
}
