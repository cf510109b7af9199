import type { RequestServices } from './request-services.ts';

/** The ids of a request. */
export interface RequestId {
  readonly workspaceId: string;
  readonly requestId: string;
}

export interface RequestPoolOptions {
  readonly create: () => Promise<RequestServices>;
  /**
   * Whether services may outlive a stage. They may not if the host cannot find, and so suspend, all of their processes
   * while it writes to their folder.
   */
  readonly canKeep: boolean;
  /** Calls back when the request has ended. @returns a function that ends the watch */
  readonly watchEnd: (request: RequestId, ended: () => void) => () => void;
  /** How long services wait for the next stage of their request. Default two minutes. */
  readonly idleMs?: number;
  /** The most requests whose services wait for their next stage. Default 16. */
  readonly maxIdle?: number;
}

const IDLE_MS = 120_000;
const MAX_IDLE = 16;

interface IdleServices {
  readonly services: RequestServices;
  /** Resolves when the stage that used them has left nothing behind. */
  readonly ready: Promise<void>;
  readonly stopWaiting: () => void;
}

/**
 * The services of requests that wait for the next stage of their request. They end with their request, after an idle
 * limit, when too many wait, and with the host.
 */
export class RequestPool {
  readonly #options: RequestPoolOptions;
  /** The oldest is first. */
  readonly #idle = new Map<string, IdleServices>();
  readonly #used = new Set<RequestServices>();
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: RequestPoolOptions) {
    this.#options = options;
  }

  /** Takes the suspended services of an earlier stage of the request; undefined when there are none. */
  async takeIdle(request: RequestId): Promise<RequestServices | undefined> {
    const key = keyOf(request);
    const idle = this.#idle.get(key);
    if (!idle) return undefined;
    this.#idle.delete(key);
    idle.stopWaiting();
    this.#used.add(idle.services);
    await idle.ready;
    return idle.services;
  }

  /** Creates services without processes, with an empty folder. */
  async create(): Promise<RequestServices> {
    const services = await this.#options.create();
    this.#used.add(services);
    return services;
  }

  /** Suspends services after a stage, or stops them if services may not outlive it. Then nothing changes their tree. */
  async settle(services: RequestServices): Promise<void> {
    await (this.#options.canKeep && !this.#isClosed ? services.suspend() : services.kept.close());
  }

  /**
   * Keeps suspended services until the next stage of their request takes them. Closes all others.
   * @param ready resolves when the stage has left nothing behind that uses their folder
   */
  keep(request: RequestId, services: RequestServices, ready: Promise<void>): void {
    const key = keyOf(request);
    this.#used.delete(services);
    // Another stage of the request may have ended meanwhile, or the host.
    if (!services.isSuspended || this.#isClosed || this.#idle.has(key)) {
      void this.#close(services, ready);
      return;
    }
    const end = (): void => this.#end(key);
    const unwatch = this.#options.watchEnd(request, end);
    const timer = setTimeout(end, this.#options.idleMs ?? IDLE_MS).unref();
    const stopWaiting = (): void => {
      clearTimeout(timer);
      unwatch();
    };
    this.#idle.set(key, { services, ready, stopWaiting });
    const [oldest] = this.#idle.keys();
    if (this.#idle.size > (this.#options.maxIdle ?? MAX_IDLE) && oldest !== undefined) this.#end(oldest);
  }

  /** Stops services that no later stage may use. Never rejects. */
  async discard(services: RequestServices): Promise<void> {
    this.#used.delete(services);
    await services.close();
  }

  /** Stops all services, and keeps none from now on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const key of [...this.#idle.keys()]) this.#end(key);
    await Promise.all([...this.#closing, ...[...this.#used].map((services) => services.close())]);
  }

  #end(key: string): void {
    const idle = this.#idle.get(key);
    if (!idle) return;
    this.#idle.delete(key);
    idle.stopWaiting();
    void this.#close(idle.services, idle.ready);
  }

  #close(services: RequestServices, ready: Promise<void>): Promise<void> {
    const closing = ready.then(() => services.close()).finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
    return closing;
  }
}

const keyOf = ({ workspaceId, requestId }: RequestId): string => `${workspaceId}/${requestId}`;
