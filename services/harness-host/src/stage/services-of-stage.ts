import type { HostRequest } from '@reins/runtime-config';
import type { RunFolder } from '../executor/run-folder.ts';
import type { RequestId, RequestPool } from '../services/request-pool.ts';
import type { RequestServices } from '../services/request-services.ts';
import type { ServicesHost } from '../services/services-host.ts';
import { hasSharedServices, StageServices, type StageServicesOptions } from '../services/stage-services.ts';

/** The folders of a stage. */
interface StageFolder {
  readonly folder: RunFolder;
  /** Whether an earlier stage of the request has worked in it. */
  readonly isReused: boolean;
}

/**
 * The services of one stage, from their folder to their end: those of its own, and the servers and applications that it
 * takes over from an earlier stage of its request and leaves to the next one.
 */
export class ServicesOfStage {
  readonly #host: ServicesHost;
  readonly #pool: RequestPool;
  readonly #requestId: RequestId;
  #own: StageServices | undefined;
  /** What the stages of the request share. Undefined again when the next stage may have it. */
  #shared: RequestServices | undefined;
  /** Resolves when nothing of this stage is left on the machine. */
  readonly #disposed = Promise.withResolvers<void>();

  constructor(host: ServicesHost, pool: RequestPool, requestId: RequestId) {
    this.#host = host;
    this.#pool = pool;
    this.#requestId = requestId;
  }

  /**
   * The servers and applications of a request have one tree for all its stages on this host, because their processes
   * work in it. A stage without them uses the folder of its executor.
   */
  async folderFor(folder: RunFolder, request: HostRequest): Promise<StageFolder> {
    if (!folder.exists || !hasSharedServices(request)) return { folder, isReused: false };
    const earlier = await this.#pool.takeIdle(this.#requestId);
    this.#shared = earlier ?? (await this.#pool.create());
    return { folder: { ...folder, workDir: this.#shared.folder.workDir }, isReused: earlier !== undefined };
  }

  /** Continues the processes of the earlier stage. Call it when the folder has the tree of this stage. */
  async resume(): Promise<void> {
    await this.#shared?.resume();
  }

  /** @throws as `StageServices.start` does */
  async start(options: Omit<StageServicesOptions, 'shared'>, signal: AbortSignal): Promise<StageServices> {
    this.#own = await StageServices.start(this.#host, { ...options, shared: this.#shared }, signal);
    return this.#own;
  }

  /**
   * Ends the calls of tools. Afterwards no service writes files, so that the tree can be captured.
   * @param mayContinue whether the next stage of the request may use the servers and applications
   */
  async settle(mayContinue: boolean): Promise<void> {
    await this.#own?.close();
    if (!this.#shared) return;
    // Its folder stays until the end of the stage, because it may be captured.
    await (mayContinue ? this.#pool.settle(this.#shared) : this.#shared.kept.close());
  }

  /** Leaves the servers and applications to the next stage of the request. Call it before that stage can start. */
  keep(): void {
    if (!this.#shared) return;
    this.#pool.keep(this.#requestId, this.#shared, this.#disposed.promise);
    this.#shared = undefined;
  }

  /** Stops everything that was not left to the next stage. */
  async close(): Promise<void> {
    const shared = this.#shared;
    this.#shared = undefined;
    await Promise.all([this.#own?.close(), shared && this.#pool.discard(shared)]);
  }

  /** Nothing of this stage is left on the machine. */
  disposed(): void {
    this.#disposed.resolve();
  }
}
