import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonValue } from '@reins/contracts';
import { LineFramer } from './line-framer.ts';
import { sweepRun } from './sweep.ts';
import { TailBuffer } from './tail-buffer.ts';

export interface HarnessProcessSpec {
  readonly command: string;
  /** Never a secret and never a prompt: every user of the machine may read it. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** All of it: see `childEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly runToken: string;
  /** Whether it reads our messages. Without it, stdin is `/dev/null`: some executors wait for the end of a pipe. */
  readonly takesInput: boolean;
  readonly maxLineBytes?: number;
  readonly shutdownTimeouts?: Partial<ShutdownTimeouts>;
}

/** How long each step of the way down may take. */
export interface ShutdownTimeouts {
  /** After it was asked by its own protocol. */
  readonly protocolMs: number;
  readonly sigtermMs: number;
  readonly sigkillMs: number;
}

export interface HarnessProcessListener {
  line(text: string): void;
  /** One line was longer than allowed; nothing more is read. */
  lineTooLong(): void;
}

/** How it ended. `error` = it could not be started. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error?: Error;
}

const SHUTDOWN_TIMEOUTS: ShutdownTimeouts = { protocolMs: 2000, sigtermMs: 3000, sigkillMs: 2000 };
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const STDERR_BYTES = 64 * 1024;
/** What was written before the end is read to its end, but not for ever: a stranger may hold the pipe. */
const DRAIN_MS = 500;

/**
 * An executor's process: line protocol on stdin and stdout, the tail of stderr, a bounded way down, and an end that is told only
 * after it and everything that it started are gone.
 */
export class HarnessProcess {
  /** Resolves once, after the process and its descendants are gone. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  readonly #child: ChildProcess;
  readonly #spec: HarnessProcessSpec;
  readonly #stderr = new TailBuffer(STDERR_BYTES);
  #stopping: Promise<ProcessExit> | undefined;

  constructor(spec: HarnessProcessSpec, listener: HarnessProcessListener) {
    this.#spec = spec;
    this.#child = spawn(spec.command, spec.args, {
      cwd: spec.cwd,
      env: spec.environment,
      stdio: [spec.takesInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      // A process group of its own: a Ctrl-C at the terminal is ours to answer, in order.
      detached: true,
    });
    this.#child.stdin?.on('error', () => undefined); // It may end before it has read all; `gone` tells.
    this.#child.stderr?.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    this.#readLines(listener);
    this.exited = this.#watch();
  }

  /** The end of what it wrote to stderr. */
  get stderr(): string {
    return this.#stderr.toString();
  }

  /** Writes one message as a line. */
  send(message: JsonValue): void {
    if (this.#child.stdin?.writable) this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** No message will follow. */
  closeInput(): void {
    this.#child.stdin?.end();
  }

  /** Closes the input: well-behaved executors end. Goes down the ladder when this one does not. */
  finish(): Promise<ProcessExit> {
    return this.stop(() => this.closeInput());
  }

  /** The way down: by protocol, SIGTERM, SIGKILL; each step has its time. Idempotent. */
  stop(requestStop?: () => void): Promise<ProcessExit> {
    this.#stopping ??= this.#shutDown(requestStop);
    return this.#stopping;
  }

  async #shutDown(requestStop: (() => void) | undefined): Promise<ProcessExit> {
    const { protocolMs, sigtermMs, sigkillMs } = { ...SHUTDOWN_TIMEOUTS, ...this.#spec.shutdownTimeouts };
    if (requestStop) {
      requestStop();
      if (await this.#exitsWithin(protocolMs)) return this.exited;
    }
    this.#signal('SIGTERM');
    if (await this.#exitsWithin(sigtermMs)) return this.exited;
    this.#signal('SIGKILL');
    await this.#exitsWithin(sigkillMs);
    return this.exited;
  }

  /** To its whole group: a shell does not pass on to its command what it is told. */
  #signal(name: NodeJS.Signals): void {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, name);
    } catch {
      this.#child.kill(name); // It has left its group, or is gone.
    }
  }

  async #exitsWithin(ms: number): Promise<boolean> {
    const timer = new AbortController();
    const late = sleep(ms, false, { signal: timer.signal }).catch(() => false);
    const ended = await Promise.race([this.exited.then(() => true), late]);
    timer.abort();
    return ended;
  }

  async #watch(): Promise<ProcessExit> {
    const end = await exitOf(this.#child);
    await sweepRun(this.#spec.runToken);
    if (end.error === undefined) await this.#drained();
    return end;
  }

  async #drained(): Promise<void> {
    const { stdout, stderr } = this.#child;
    const open = [stdout, stderr].filter((stream) => stream !== null && !stream.closed);
    const timer = new AbortController();
    const late = sleep(DRAIN_MS, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([Promise.all(open.map((stream) => stream && once(stream, 'close'))), late]);
    timer.abort();
    stdout?.destroy();
    stderr?.destroy();
  }

  #readLines(listener: HarnessProcessListener): void {
    const { stdout } = this.#child;
    const framer = new LineFramer(
      this.#spec.maxLineBytes ?? MAX_LINE_BYTES,
      (line) => listener.line(line),
      () => listener.lineTooLong(),
    );
    stdout?.on('data', (chunk: Buffer) => framer.push(chunk));
    stdout?.on('end', () => framer.end());
  }
}

function exitOf(child: ChildProcess): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      // Also told when a signal could not be sent to a process that runs; only a failed start is an end.
      if (child.pid === undefined) resolve({ code: null, signal: null, error });
    });
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}
