import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonValue, LineReader, lineText } from '@reins/contracts';
import { type ProcessSandbox, type ProcessStart, startInSandbox } from './process-sandbox.ts';
import { listRunProcesses } from './process-table.ts';
import { sweepRun } from './sweep.ts';
import { TailBuffer } from './tail-buffer.ts';
import { terminateInside } from './terminate-inside.ts';

export interface HarnessProcessSpec extends ProcessStart {
  readonly runToken: string;
  /** The sandbox around the process and its descendants. Absent: they have the rights of this process. */
  readonly sandbox?: ProcessSandbox | undefined;
  readonly maxLineBytes?: number;
  readonly shutdownTimeouts?: Partial<ShutdownTimeouts>;
}

/** The timeout of each step when a process is stopped. */
export interface ShutdownTimeouts {
  /** After the request to stop by the executor's protocol. */
  readonly protocolMs: number;
  readonly sigtermMs: number;
  readonly sigkillMs: number;
}

export interface HarnessProcessListener {
  line(text: string): void;
  /** A line exceeded the limit. Nothing more is read. */
  lineTooLong(): void;
}

/** How the process exited. `error` is set when it could not be started. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error?: Error;
}

const SHUTDOWN_TIMEOUTS: ShutdownTimeouts = { protocolMs: 2000, sigtermMs: 3000, sigkillMs: 2000 };
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const STDERR_BYTES = 64 * 1024;
/** How long remaining output is read after the exit. Another process may keep the pipe open. */
const DRAIN_MS = 500;
const POLL_MS = 20;

/**
 * The process of an executor: a line protocol on stdin and stdout, the tail of stderr, and a bounded shutdown. `exited`
 * resolves only after the process and everything that it started have exited.
 */
export class HarnessProcess {
  /** Resolves after the process and its descendants have exited. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  readonly #child: ChildProcess;
  readonly #spec: HarnessProcessSpec;
  readonly #stderr = new TailBuffer(STDERR_BYTES);
  #stopping: Promise<ProcessExit> | undefined;
  /** Until then, the processes that received SIGTERM may end on their own. */
  #graceUntil = 0;

  /** @throws ReinsError `sandbox_unavailable`, `harness_start_failed`; only with a sandbox */
  constructor(spec: HarnessProcessSpec, listener: HarnessProcessListener) {
    this.#spec = spec;
    this.#child = spec.sandbox ? startInSandbox(spec, spec.sandbox) : startUnconfined(spec);
    this.#child.stdin?.on('error', () => undefined); // The process may exit before it has read everything.
    this.#child.stderr?.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    this.#readLines(listener);
    this.exited = this.#watch();
  }

  /** The tail of stderr. */
  get stderr(): string {
    return this.#stderr.toString();
  }

  /** Writes one message as a line. */
  send(message: JsonValue): void {
    if (this.#child.stdin?.writable) this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Closes stdin. */
  closeInput(): void {
    this.#child.stdin?.end();
  }

  /** Closes stdin, which makes well-behaved executors exit. Stops the process by signals if it does not exit. */
  finish(): Promise<ProcessExit> {
    return this.stop(() => this.closeInput());
  }

  /** Stops the process: by protocol, SIGTERM, SIGKILL, each with a timeout. Idempotent. */
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
    this.#graceUntil = performance.now() + sigtermMs;
    if (!(await this.#terminateInside())) this.#signal('SIGTERM');
    if (await this.#exitsWithin(sigtermMs)) return this.exited;
    this.#signal('SIGKILL');
    await this.#exitsWithin(sigkillMs);
    return this.exited;
  }

  /** bubblewrap ends everything in it when it receives a signal, so the processes in it get theirs and their time first. */
  async #terminateInside(): Promise<boolean> {
    const { sandbox, runToken } = this.#spec;
    if (sandbox?.isolation.backend !== 'bubblewrap' || this.#child.pid === undefined) return false;
    return terminateInside(this.#child.pid, runToken, this.#graceUntil);
  }

  /** Signals the whole process group: a shell does not forward signals to its command. */
  #signal(name: NodeJS.Signals): void {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, name);
    } catch {
      this.#child.kill(name); // The process has left its group, or has exited.
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
    await this.#groupExited();
    await sweepRun(this.#spec.runToken);
    if (end.error === undefined) await this.#drained();
    return end;
  }

  /** Waits for the process group. A shell ends at SIGTERM at once while its command may still be shutting down. */
  async #groupExited(): Promise<void> {
    while (performance.now() < this.#graceUntil && this.#groupExists()) {
      // The group may consist of zombies: a container without an init process never reaps them.
      const { runToken } = this.#spec;
      if (!(await listRunProcesses()).some(({ token }) => token === runToken)) return;
      await sleep(POLL_MS);
    }
  }

  #groupExists(): boolean {
    try {
      return this.#child.pid !== undefined && process.kill(-this.#child.pid, 0);
    } catch {
      return false;
    }
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
    const reader: LineReader = new LineReader(this.#spec.maxLineBytes ?? MAX_LINE_BYTES, {
      line: (bytes) => listener.line(lineText(bytes)),
      tooLong: () => {
        reader.close();
        listener.lineTooLong();
      },
    });
    stdout?.on('data', (chunk: Buffer) => reader.push(chunk));
    stdout?.on('end', () => reader.end());
  }
}

function startUnconfined({ command, args, cwd, environment, takesInput }: HarnessProcessSpec): ChildProcess {
  return spawn(command, args, {
    cwd,
    env: environment,
    stdio: [takesInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    // A separate process group, so that Ctrl-C in the terminal reaches only the host, which shuts down in order.
    detached: true,
  });
}

function exitOf(child: ChildProcess): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      // `error` is also emitted when a signal could not be sent. Only a failed start counts as an exit.
      if (child.pid === undefined) resolve({ code: null, signal: null, error });
    });
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}
