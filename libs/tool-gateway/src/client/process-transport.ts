import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { HarnessProcess, sweepRun } from '@reins/harness';
import { errorTold, withoutFolders } from '../told/error-told.ts';
import type { Place } from './server-spec.ts';
import { serviceEnvironment } from './service-environment.ts';

export interface ProcessSpec {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const MAX_LINE_BYTES = 8 * 1024 * 1024;
/** Some servers print a banner where only messages belong. One that does nothing else is none. */
const MOST_STRAY_LINES = 100;
const LADDER = { protocolMs: 500, sigtermMs: 1500, sigkillMs: 2000 };

/** A local MCP server: a process that speaks JSON-RPC in lines, bounded and swept like every process of a run. */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #spec: ProcessSpec;
  readonly #place: Place;
  #process: HarnessProcess | undefined;
  #strayLines = 0;
  #ended: string | undefined;

  constructor(spec: ProcessSpec, place: Place) {
    this.#spec = spec;
    this.#place = place;
  }

  /** How it came to its end; undefined while it lives. */
  get ended(): string | undefined {
    return this.#ended;
  }

  async start(): Promise<void> {
    const { homeDir, path, cwd, newToken, onProcess } = this.#place;
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
        takesInput: true,
        maxLineBytes: MAX_LINE_BYTES,
        ladder: LADDER,
      },
      { line: (line) => this.#line(line), lineTooLong: () => this.giveUp('wrote a line without an end') },
    );
    this.#process = process;
    onProcess?.({ runToken, kill: () => void sweepRun(runToken) });
    void process.gone.then(({ error, code, signal }) => {
      const said = errorTold(process.stderr, this.#place);
      const how = error
        ? `could not be started: ${withoutFolders(error.message, this.#place)}`
        : `ended (${signal ?? `code ${code}`})`;
      this.#ended ??= said === '' ? how : `${how}: ${said}`;
      this.onclose?.();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#process?.send(message as never);
  }

  async close(): Promise<void> {
    await this.#process?.finish();
  }

  /** Ends one that has become of no use, and says why. */
  giveUp(why: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    void this.#process?.stop();
  }

  #line(line: string): void {
    if (line.trim() === '') return;
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(JSON.parse(line));
    } catch {
      this.#strayLines += 1;
      if (this.#strayLines > MOST_STRAY_LINES) this.giveUp('writes what is no message of the protocol');
      return;
    }
    this.onmessage?.(message);
  }
}
