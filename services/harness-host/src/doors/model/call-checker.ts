import { Worker } from 'node:worker_threads';
import { type CheckedCall, checkCall, type ReceivedCall } from './check-call.ts';
import { FairTurns } from './fair-turns.ts';

/** TypeScript sources start a TypeScript worker, and compiled code a compiled one. */
const WORKER = new URL(`./check-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);
const FROM_SOURCES = import.meta.url.endsWith('.ts') ? ['--conditions=reins-source'] : [];
/** A smaller body is checked in less time than a thread needs to receive it. */
const SMALL_BYTES = 64 * 1024;
const CHECK_MS = 30_000;
const MEMORY_MB = 1024;

/**
 * Checks calls. Large bodies are parsed in a thread, one after the other, because parsing would block the host, which
 * then loses its claims. Runs take turns.
 */
export class CallChecker {
  #worker: Worker | undefined;
  readonly #turns = new FairTurns();

  /**
   * @param run aborted when the run of the call ends: calls that wait are then not parsed. Runs are compared by identity.
   * @throws the reason of the signal
   */
  async check(call: ReceivedCall, run: AbortSignal): Promise<CheckedCall> {
    if (call.bytes.byteLength <= SMALL_BYTES) return checkCall(call);
    return this.#turns.run(run, async () => {
      run.throwIfAborted();
      return this.#checkInThread(call);
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  async #checkInThread(call: ReceivedCall): Promise<CheckedCall> {
    this.#worker ??= startWorker();
    const worker = this.#worker;
    const { promise, resolve } = Promise.withResolvers<CheckedCall | undefined>();
    const timer = setTimeout(() => resolve(undefined), CHECK_MS);
    const failed = () => resolve(undefined);
    worker.once('message', resolve);
    worker.once('error', failed);
    worker.once('exit', failed);
    worker.postMessage(call);
    const checked = await promise;
    clearTimeout(timer);
    worker.off('message', resolve).off('error', failed).off('exit', failed);
    if (checked) return checked;
    // The thread is out of memory, or still busy with this call.
    await this.close();
    return { refusal: TOO_COMPLEX };
  }
}

const TOO_COMPLEX = {
  status: 413,
  code: 'model_call_too_large',
  message: `parsing the model call takes more than ${CHECK_MS} ms or ${MEMORY_MB} MB`,
} as const;

function startWorker(): Worker {
  const worker = new Worker(WORKER, {
    execArgv: [...FROM_SOURCES, '--disable-warning=ExperimentalWarning'],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  // An error without a listener would end the host.
  worker.on('error', () => undefined);
  worker.unref();
  return worker;
}
