import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult, ListToolsResult } from '@modelcontextprotocol/client';
import { type JsonObject, problemOf } from '@reins/contracts';
import { type CallExtras, McpConnection } from './mcp-connection.ts';
import type { ProcessContext, ServerSpec } from './server-spec.ts';

/** The delay before each restart of a lost server. After the last one, the server stays unavailable. */
const RESTART_DELAYS_MS = [0, 500, 2000];

/** Whether the server is available to a call. */
export interface ConnectionReadiness {
  /** Why the server is unavailable; undefined when it is available. */
  readonly closedReason?: string;
  /** Whether the server was restarted for this call. Its in-memory state is lost. */
  readonly restarted: boolean;
}

/** The connection to a server of a request. Restarts a lost server when the next call needs it, up to three times. */
export class ReconnectingConnection {
  #connection: McpConnection;
  readonly #context: ProcessContext;
  readonly #stop = new AbortController();
  #restarts = 0;
  #restarting: Promise<void> | undefined;
  #onElicitation: McpConnection['onElicitation'] | undefined;
  /** Why the last restart failed. */
  #failure: string | undefined;

  /** @param connection an open connection with the same context */
  constructor(connection: McpConnection, context: ProcessContext) {
    this.#connection = connection;
    this.#context = context;
  }

  /** Answers the questions of the server to the user from now on. */
  set onElicitation(answer: McpConnection['onElicitation']) {
    this.#onElicitation = answer;
    this.#connection.onElicitation = answer;
  }

  get spec(): ServerSpec {
    return this.#connection.spec;
  }

  /** Why the connection is unusable; undefined while it is usable. */
  get closedReason(): string | undefined {
    const reason = this.#connection.closedReason;
    if (reason === undefined || this.#restarts === 0) return reason;
    return this.#failure ?? `${reason}, after it was restarted ${this.#restarts} times`;
  }

  /** Restarts the server if it was lost. Concurrent calls wait for the same restart. Never rejects. */
  async ready(): Promise<ConnectionReadiness> {
    if (this.#connection.closedReason === undefined) return { restarted: false };
    if (this.#restarting === undefined && this.#restarts < RESTART_DELAYS_MS.length) {
      this.#restarting = this.#restart().finally(() => {
        this.#restarting = undefined;
      });
    }
    await this.#restarting;
    const { closedReason } = this;
    return closedReason === undefined ? { restarted: true } : { closedReason, restarted: false };
  }

  /** @throws ReinsError `mcp_server_failed` */
  listTools(signal: AbortSignal): Promise<ListToolsResult> {
    return this.#connection.listTools(signal);
  }

  /** @throws ReinsError `mcp_server_failed`, as `McpConnection.call` does */
  call(name: string, args: JsonObject, signal: AbortSignal, extras?: CallExtras): Promise<CallToolResult> {
    return this.#connection.call(name, args, signal, extras);
  }

  /** Closes the connection and prevents restarts. Never rejects. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#restarting;
    await this.#connection.close();
  }

  async #restart(): Promise<void> {
    const { signal } = this.#stop;
    const lost = this.#connection;
    try {
      await sleep(RESTART_DELAYS_MS[this.#restarts], undefined, { signal });
      this.#restarts += 1;
      // Cleans up the lost process before it is replaced.
      await lost.close();
      this.#connection = await McpConnection.open(lost.spec, this.#context, signal);
      if (this.#onElicitation) this.#connection.onElicitation = this.#onElicitation;
      this.#failure = undefined;
    } catch (error) {
      if (!signal.aborted)
        this.#failure = `${lost.closedReason ?? 'it was lost'}; restart failed: ${problemOf(error).message}`;
    }
  }
}
