import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { type JsonObject, problemOf } from '@reins/contracts';
import { McpConnection } from './mcp-connection.ts';
import type { ProcessContext } from './server-spec.ts';

/** How long is waited before each time that a lost server is started again; when they are used up, it is given up. */
const RESTART_DELAYS_MS = [0, 500, 2000];

/** What a call finds. */
export interface ConnectionReadiness {
  /** Why the server is not there; undefined when it is. */
  readonly closedReason?: string;
  /** It was lost before this call and has been started again: what it kept in memory is not there any more. */
  readonly restarted: boolean;
}

/** The connection to a server of a run, made anew when it is lost: when the next call needs it, a few times in all. */
export class ReconnectingConnection {
  #connection: McpConnection;
  readonly #context: ProcessContext;
  readonly #stop = new AbortController();
  #starts = 0;
  #starting: Promise<void> | undefined;
  /** Why the last try to start it again came to nothing. */
  #failure: string | undefined;

  /** @param connection one that was just made, in the same place */
  constructor(connection: McpConnection, context: ProcessContext) {
    this.#connection = connection;
    this.#context = context;
  }

  /** Why it can be used no more; undefined while it can. */
  get closedReason(): string | undefined {
    const why = this.#connection.closedReason;
    if (why === undefined || this.#starts === 0) return why;
    return this.#failure ?? `${why}, after it was started again ${this.#starts} times`;
  }

  /** Starts the server again, should it be lost. Calls that come meanwhile wait for the same start; none waits for more than one. Never rejects. */
  async ready(): Promise<ConnectionReadiness> {
    if (this.#connection.closedReason === undefined) return { restarted: false };
    if (this.#starting === undefined && this.#starts < RESTART_DELAYS_MS.length) {
      this.#starting = this.#start().finally(() => {
        this.#starting = undefined;
      });
    }
    await this.#starting;
    const { closedReason } = this;
    return closedReason === undefined ? { restarted: true } : { closedReason, restarted: false };
  }

  /** @throws ReinsError `mcp_server_failed`, as `McpConnection.call` does */
  call(name: string, args: JsonObject, signal: AbortSignal): Promise<CallToolResult> {
    return this.#connection.call(name, args, signal);
  }

  /** Ends it, and lets no other begin. Never rejects. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#starting;
    await this.#connection.close();
  }

  async #start(): Promise<void> {
    const { signal } = this.#stop;
    const lost = this.#connection;
    try {
      await sleep(RESTART_DELAYS_MS[this.#starts], undefined, { signal });
      this.#starts += 1;
      // Whatever is left of the process that was lost is gone before there is another.
      await lost.close();
      this.#connection = await McpConnection.open(lost.spec, this.#context, signal);
      this.#failure = undefined;
    } catch (error) {
      if (!signal.aborted)
        this.#failure = `${lost.closedReason ?? 'it was lost'}; started again: ${problemOf(error).message}`;
    }
  }
}
