import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { ReinsError } from '@reins/contracts';
import { errnoOf, messageOf } from '../errno.ts';
import { guardian } from './guardian.ts';
import { minimalEnvironment } from './minimal-environment.ts';

export interface GuardedProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Default: `PATH`, `HOME`, `LANG`, `TZ` and `TMPDIR` of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Runs as another user; requires root. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** Signal for a graceful stop. Default SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * The child waits for one line before it executes the command, so that the guardian knows its pid first. There is no
 * moment in which our own death could leave it behind. `exec` keeps the pid and leaves no extra process.
 */
const GATE = 'read -r go || exit 0; exec "$@" </dev/null';

/**
 * A child process that leads its own process group. It never outlives this process, and its group never outlives it.
 */
export class GuardedProcess {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves once, when the process has ended. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  readonly #child: ChildProcess;
  readonly #stopSignal: NodeJS.Signals;
  #exit: ProcessExit | undefined;

  private constructor(
    child: ChildProcess,
    pid: number,
    stdout: Readable,
    stderr: Readable,
    stopSignal: NodeJS.Signals,
  ) {
    this.#child = child;
    this.pid = pid;
    this.stdout = stdout;
    this.stderr = stderr;
    this.#stopSignal = stopSignal;
    this.exited = once(child, 'exit').then(([code, signal]) => {
      this.#exit = { code: code as number | null, signal: signal as NodeJS.Signals | null };
      guardian.forget(pid);
      this.#killGroup();
      return this.#exit;
    });
  }

  /** The exit result, or undefined while it runs. */
  get exit(): ProcessExit | undefined {
    return this.#exit;
  }

  static async start(options: GuardedProcessOptions): Promise<GuardedProcess> {
    const stopSignal = options.stopSignal ?? 'SIGTERM';
    const child = spawn('/bin/sh', ['-c', GATE, 'sh', options.command, ...options.args], {
      cwd: options.cwd ?? '/',
      env: options.env ?? minimalEnvironment(),
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      ...options.user,
    });
    try {
      await once(child, 'spawn');
    } catch (error) {
      throw cannotStart(options.command, error);
    }
    const { pid, stdin, stdout, stderr } = child;
    if (pid === undefined || !stdin || !stdout || !stderr) throw cannotStart(options.command, 'no pipes');
    const started = new GuardedProcess(child, pid, stdout, stderr, stopSignal);
    guardian.guard(pid, stopSignal);
    stdin.on('error', () => {}); // it has already ended, which 'exit' reports
    stdin.end('go\n');
    return started;
  }

  /** Sends the stop signal, and SIGKILL after `deadlineMs`. */
  async stop(deadlineMs = 10_000): Promise<ProcessExit> {
    if (this.#exit) return this.#exit;
    this.signal(this.#stopSignal);
    const timer = setTimeout(() => this.signal('SIGKILL'), deadlineMs);
    try {
      return await this.exited;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Kills the process, as in a crash. */
  async kill(): Promise<ProcessExit> {
    this.signal('SIGKILL');
    return this.exited;
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.#exit) this.#child.kill(signal);
  }

  /** Allows this process to exit while the child runs; the guardian then stops the child. */
  unref(): void {
    this.#child.unref();
    for (const pipe of [this.stdout, this.stderr])
      if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
  }

  /** Kills the processes left in its group. */
  #killGroup(): void {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch (error) {
      // The group is empty: only its leader was in it.
      if (errnoOf(error) !== 'ESRCH') throw error;
    }
  }
}

function cannotStart(command: string, cause: unknown): ReinsError {
  const message = `${command} could not be started: ${messageOf(cause)}`;
  return new ReinsError({ code: 'embedded_start_failed', message, path: command }, { cause });
}
