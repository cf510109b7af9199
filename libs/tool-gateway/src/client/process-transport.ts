import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { HarnessProcess, sweepRun } from '@reins/harness';
import { errorExcerpt, withoutHostPaths } from '../errors/error-excerpt.ts';
import type { ProcessContext } from './server-spec.ts';
import { serviceEnvironment } from './service-environment.ts';

export interface ProcessSpec {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** A folder that it may read even if it is in a hidden one. */
  readonly packageFolder?: string | undefined;
}

const MAX_LINE_BYTES = 8 * 1024 * 1024;
/** Some servers print a banner to stdout. A server that prints more lines than this is not an MCP server. */
const MAX_STRAY_LINES = 100;
const SHUTDOWN_TIMEOUTS = { protocolMs: 500, sigtermMs: 1500, sigkillMs: 2000 };

/** The transport of a local MCP server: a process that reads and writes newline-delimited JSON-RPC. */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #spec: ProcessSpec;
  readonly #context: ProcessContext;
  #process: HarnessProcess | undefined;
  #strayLines = 0;
  #endReason: string | undefined;

  constructor(spec: ProcessSpec, context: ProcessContext) {
    const { packageFolder } = spec;
    this.#spec = spec;
    this.#context = packageFolder === undefined ? context : { ...context, trees: [...context.trees, packageFolder] };
  }

  /** Why the process ended; undefined while it runs. */
  get endReason(): string | undefined {
    return this.#endReason;
  }

  /** @throws ReinsError `sandbox_unavailable`, `harness_start_failed` */
  async start(): Promise<void> {
    const { homeDir, path, cwd, sandbox, newToken, onProcess } = this.#context;
    const [command = '', ...args] = this.#spec.command;
    const runToken = newToken();
    await mkdir(join(homeDir, 'tmp'), { recursive: true });
    const process = new HarnessProcess(
      {
        command,
        args,
        cwd,
        environment: serviceEnvironment({ homeDir, path }, runToken, this.#spec.environment),
        runToken,
        sandbox,
        writable: [cwd, homeDir],
        readable: this.#spec.packageFolder === undefined ? [] : [this.#spec.packageFolder],
        takesInput: true,
        maxLineBytes: MAX_LINE_BYTES,
        shutdownTimeouts: SHUTDOWN_TIMEOUTS,
      },
      { line: (line) => this.#line(line), lineTooLong: () => this.giveUp('wrote a line that exceeds the size limit') },
    );
    this.#process = process;
    onProcess?.({ runToken, kill: () => void sweepRun(runToken) });
    void process.exited.then(({ error, code, signal }) => {
      const excerpt = errorExcerpt(process.stderr, this.#context);
      const how = error
        ? `could not be started: ${withoutHostPaths(error.message, this.#context)}`
        : `exited (${signal ?? `code ${code}`})`;
      this.#endReason ??= excerpt === '' ? how : `${how}: ${excerpt}`;
      this.onclose?.();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#process?.send(message as never);
  }

  async close(): Promise<void> {
    await this.#process?.finish();
  }

  /** Stops an unusable process and records why. */
  giveUp(reason: string): void {
    if (this.#endReason !== undefined) return;
    this.#endReason = reason;
    void this.#process?.stop();
  }

  #line(line: string): void {
    if (line.trim() === '') return;
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(JSON.parse(line));
    } catch {
      this.#strayLines += 1;
      if (this.#strayLines > MAX_STRAY_LINES) this.giveUp('wrote too many lines that are not protocol messages');
      return;
    }
    this.onmessage?.(message);
  }
}
