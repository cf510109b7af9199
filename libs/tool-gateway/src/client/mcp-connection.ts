import {
  type CallToolResult,
  Client,
  type JsonSchemaValidatorResult,
  type jsonSchemaValidator,
  type ListToolsResult,
  type Progress,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { isReinsError, type JsonObject, ReinsError } from '@reins/contracts';
import type { RemoteMcpConfig } from '@reins/runtime-config';
import { withoutHostPaths } from '../errors/error-excerpt.ts';
import { reasonOf } from '../errors/reason-of.ts';
import { printedAfter } from '../sidecar/printed-meta.ts';
import { ADDED_TOOL_NAMES, addedTools, callAddedTool } from './added-tools.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { Elicitation, ElicitationAnswer } from './elicitation.ts';
import { NEWEST_REVISION, needsNewestRevision } from './newest-revision.ts';
import { ProcessTransport } from './process-transport.ts';
import { DEFAULT_TIMEOUT_MS, type ProcessContext, type ServerSpec } from './server-spec.ts';
import { connectedFetch, socketFetch } from './socket-fetch.ts';

const CLIENT = { name: 'reins', version: '1' };
const MAX_PAGES = 20;
const CLOSE_MS = 2000;
const PING_MS = 5000;
/** Accepts every tool output: output schemas of untrusted servers are not executed here. */
const ACCEPT_ANY_OUTPUT: jsonSchemaValidator = {
  getValidator:
    <T>() =>
    (value: unknown) =>
      ({ valid: true, data: value as T, errorMessage: undefined }) as JsonSchemaValidatorResult<T>,
};

/** How a connection is opened. */
interface Handshake {
  readonly context: ProcessContext;
  readonly signal: AbortSignal;
  /** The protocol revision to use, without calling `initialize`. Absent: `initialize` selects one. */
  readonly revision?: string;
}

/** What a call has in addition to its arguments. */
export interface CallExtras {
  /** What the server learns about the call, in `_meta`. */
  readonly meta?: JsonObject | undefined;
  /** Called with what a tool of the workspace prints. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** A connection to one MCP server, local or remote. */
export class McpConnection {
  readonly spec: ServerSpec;
  /** Answers a question that the server asks the user. */
  onElicitation: (elicitation: Elicitation) => ElicitationAnswer = () => ({ action: 'decline' });
  readonly #context: ProcessContext;
  readonly #client: Client;
  readonly #transport: Transport;
  #closed = false;
  /** The names of the tools for its resources and prompts, once its tools were listed. */
  #addedTools: readonly string[] | undefined;

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
   * Starts a local server or connects to a remote one, and initialises the session. A server that only speaks the newest
   * revision of the protocol refuses `initialize`, and is then connected without it.
   * @throws ReinsError `mcp_server_failed` when the server does not start, does not respond in time or violates the
   *   protocol
   */
  static async open(spec: ServerSpec, context: ProcessContext, signal: AbortSignal): Promise<McpConnection> {
    try {
      return await McpConnection.#open(spec, { context, signal });
    } catch (error) {
      if (!needsNewestRevision(error)) throw error;
      return McpConnection.#open(spec, { context, signal, revision: NEWEST_REVISION });
    }
  }

  static async #open(spec: ServerSpec, how: Handshake): Promise<McpConnection> {
    const { config, packageFolder, socket } = spec;
    if (config.type === 'local') {
      const transport = new ProcessTransport({ ...config, packageFolder }, how.context);
      return McpConnection.#connect(spec, transport, how);
    }
    const url = urlOf(spec, config);
    const fetchIt = fetchFor(socket, how.context);
    const options = {
      requestInit: { headers: { ...config.headers } },
      fetch: (url: string | URL, init?: RequestInit) => boundedFetch(url, init, fetchIt),
    };
    try {
      return await McpConnection.#connect(spec, new StreamableHTTPClientTransport(url, options), how);
    } catch (error) {
      // As the MCP specification recommends: a server that rejects the first message may use the older SSE transport.
      if (!mayNeedSse(error) || needsNewestRevision(error)) throw error;
      return McpConnection.#connect(spec, new SSEClientTransport(url, options), how);
    }
  }

  static async #connect(
    spec: ServerSpec,
    transport: Transport,
    { context, signal, revision }: Handshake,
  ): Promise<McpConnection> {
    const client = new Client(CLIENT, {
      jsonSchemaValidator: ACCEPT_ANY_OUTPUT,
      listMaxPages: MAX_PAGES,
      // The client refuses questions in other modes, such as `url`, with a reason.
      capabilities: { elicitation: { form: {} } },
      ...(revision !== undefined && { versionNegotiation: { mode: { pin: revision } } }),
    });
    const connection = new McpConnection(spec, context, client, transport);
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const { message } = params;
      const schema = 'requestedSchema' in params ? (params.requestedSchema as unknown as JsonObject) : {};
      return connection.onElicitation({ message, schema });
    });
    try {
      await client.connect(transport, { signal, timeout: connection.#timeout });
      return connection;
    } catch (error) {
      const failure = connection.#failure(error);
      await connection.close();
      throw failure;
    }
  }

  /** Lists its tools, and those for its resources and prompts. @throws ReinsError `mcp_server_failed` */
  async listTools(signal: AbortSignal): Promise<ListToolsResult> {
    try {
      const options = { signal, timeout: this.#timeout, cacheMode: 'refresh' as const };
      const listed = await this.#client.listTools(undefined, options);
      const added = addedTools(this.#client, listed.tools);
      this.#addedTools = added.map(({ name }) => name);
      return { ...listed, tools: [...listed.tools, ...added] };
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /**
   * Calls a tool. A failure of the tool is a normal result.
   * @throws ReinsError `mcp_server_failed` when the server does not respond in time
   */
  async call(
    name: string,
    args: JsonObject,
    signal: AbortSignal,
    { meta, onOutput }: CallExtras = {},
  ): Promise<CallToolResult> {
    try {
      const timeout = this.#timeout;
      if (await this.#isAddedTool(name, signal)) {
        const fresh = { signal, timeout, maxTotalTimeout: timeout, cacheMode: 'refresh' as const };
        return await callAddedTool(this.#client, name, args, fresh);
      }
      const request = { name, arguments: args, ...(meta && { _meta: { ...meta } }) };
      const options = { signal, timeout, maxTotalTimeout: timeout };
      if (!onOutput) return await this.#client.callTool(request, options);
      let received = 0;
      const onprogress = ({ progress, message = '' }: Progress): void => {
        received = progress;
        onOutput(message);
      };
      const result = await this.#client.callTool(request, { ...options, onprogress });
      onOutput(printedAfter(result._meta, received));
      return result;
    } catch (error) {
      if (!signal.aborted) void this.#stopIfUnresponsive();
      throw this.#failure(error);
    }
  }

  /** A server may have a tool of its own with such a name. After a restart, its tools are not listed yet. */
  async #isAddedTool(name: string, signal: AbortSignal): Promise<boolean> {
    if (!ADDED_TOOL_NAMES.includes(name)) return false;
    if (!this.#addedTools) await this.listTools(signal);
    return this.#addedTools?.includes(name) === true;
  }

  /** Why the connection is closed; undefined while it is open. */
  get closedReason(): string | undefined {
    if (!this.#closed) return undefined;
    return (this.#transport instanceof ProcessTransport && this.#transport.endReason) || 'the connection was closed';
  }

  /** Closes the connection and stops its process. Never rejects. */
  async close(): Promise<void> {
    const timeout = AbortSignal.timeout(CLOSE_MS);
    const closed = this.#client.close().catch(() => undefined);
    // The shutdown of a process is bounded by its own timeouts. A remote server is only notified.
    if (this.#transport instanceof ProcessTransport) await Promise.all([closed, this.#transport.close()]);
    else await Promise.race([closed, new Promise((resolve) => timeout.addEventListener('abort', resolve))]);
  }

  /** A manifest without a timeout has the value 0, which means the default. */
  get #timeout(): number {
    return this.spec.config.timeout || DEFAULT_TIMEOUT_MS;
  }

  /** After a call timed out: stops the process if it does not answer a ping either, as in an endless loop. */
  async #stopIfUnresponsive(): Promise<void> {
    const transport = this.#transport;
    if (!(transport instanceof ProcessTransport) || this.#closed) return;
    await this.#client.ping({ timeout: PING_MS }).catch((error: unknown) => {
      const silent = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
      if (silent) transport.giveUp('it stopped responding');
    });
  }

  /** The error of the client names neither the timeout nor its setting. */
  #timeoutReason(error: unknown): string {
    const isTimeout = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
    return isTimeout ? `it did not respond within ${this.#timeout} ms (timeout_ms of the server)` : '';
  }

  #failure(error: unknown): ReinsError {
    // The reason why this host did not connect is more specific than a closed connection.
    const refusal = isReinsError(error) && error.code === 'mcp_server_failed' ? error.message : undefined;
    const reason =
      refusal ?? this.closedReason ?? (this.#timeoutReason(error) || withoutHostPaths(reasonOf(error), this.#context));
    const message = `MCP server '${this.spec.serverId}': ${reason}`.slice(0, 1000);
    return new ReinsError({ code: 'mcp_server_failed', message }, { cause: error });
  }
}

function fetchFor(socket: string | undefined, { connect }: ProcessContext): typeof fetch {
  if (socket !== undefined) return socketFetch(socket);
  return connect === undefined ? fetch : connectedFetch(connect);
}

function mayNeedSse(error: unknown): boolean {
  const cause = error instanceof ReinsError ? error.cause : error;
  return cause instanceof SdkHttpError && [400, 404, 405].includes(cause.status ?? 0);
}

function urlOf({ serverId }: ServerSpec, { url }: RemoteMcpConfig): URL {
  const parsed = URL.parse(url);
  if (parsed && (parsed.protocol === 'http:' || parsed.protocol === 'https:')) return parsed;
  throw new ReinsError({
    code: 'mcp_server_failed',
    message: `MCP server '${serverId}': its url must be an http or https URL`,
  });
}
