import type { CommandRunSubmit, JsonObject } from '@reins/contracts';
import { hashJson } from '@reins/journal';
import { inboxMessage } from './inbox-message.ts';
import type { WorldOptions } from './world-options.ts';

const WORKSPACE = 'ws';
const SLOTS = 2;
const BURST = 10 * SLOTS;
const SUBMIT_MS = 3_000;
/** The whole burst takes several times the start deadline. */
const STAGE_MS = [6_000, 12_000] as const;
/** The chance that a host dies with a stage that it has received, and not claimed. */
const HOST_DEATH = 0.1;
const REDELIVERY_MS = 5_000;
const HOST = 'busy-host';

/** The parts of a stage request that its host uses. */
export interface StageRequest {
  readonly requestId: string;
  readonly effectId: string;
  readonly attempt?: number;
}

/**
 * A burst of requests, and hosts with few slots that take its stages in order. A stage that a dead host had received is
 * delivered again, before all others.
 */
export class BusyHosts<R extends StageRequest> {
  readonly #world: WorldOptions;
  readonly #answer: (request: R, type: string, fields: JsonObject) => void;
  readonly #queue: R[] = [];
  /** The requests that no host has answered. */
  readonly #unanswered = new Set<string>();
  readonly #burst = new Set<string>();
  #inUse = 0;
  #idleSince = Number.NEGATIVE_INFINITY;
  /** Whether there are no hosts. */
  isAway = false;

  /** @param answer sends the answer to a request */
  constructor(world: WorldOptions, answer: (request: R, type: string, fields: JsonObject) => void) {
    this.#world = world;
    this.#answer = answer;
  }

  /** The requests of the burst. */
  get requests(): ReadonlySet<string> {
    return this.#burst;
  }

  /** Submits the burst. @param register is called with each request */
  start(register: (body: CommandRunSubmit) => void): void {
    const { random, scheduler, server } = this.#world;
    for (let number = 1; number <= BURST; number += 1) {
      const requestId = `burst${number}`;
      this.#burst.add(requestId);
      const body: CommandRunSubmit = {
        type: 'command.run.submit',
        requestId,
        sessionId: requestId,
        agentId: 'main',
        workspaceId: WORKSPACE,
        idempotencyKey: requestId,
        revision: hashJson('revision'),
        input: { stage: 'execute', input: 'do it' },
        process: 'stage',
        submittedAt: new Date(scheduler.now).toISOString(),
      };
      register(body);
      scheduler.after(random.between(0, SUBMIT_MS), () => {
        server.publish(inboxMessage(`${requestId}.submit`, body as unknown as JsonObject));
        return false;
      });
    }
  }

  /** Queues a stage of the burst. */
  request(request: R): void {
    this.#queue.push(request);
    this.#unanswered.add(request.requestId);
    this.#takeNext();
  }

  /** Whether the stage of a request waits for a host, or is handled. True outside the burst: the state is unknown. */
  holds(requestId: string): boolean {
    return !this.#burst.has(requestId) || this.#unanswered.has(requestId);
  }

  /** The hosts disappear for a time. They finish the stages that they run, and take no others. */
  leave(ms: number): void {
    this.isAway = true;
    this.#after(ms, () => {
      this.isAway = false;
      this.#noteIdle();
      this.#takeNext();
    });
  }

  /** Like `HarnessWatch` of `@reins/service-kit`. */
  idleMs(periodMs: number): number {
    const { now } = this.#world.scheduler;
    return this.#isIdle ? now - Math.max(this.#idleSince, now - periodMs) : 0;
  }

  /** Whether the offers show a free slot. */
  get #isIdle(): boolean {
    return !this.isAway && this.#inUse < SLOTS;
  }

  #noteIdle(): void {
    this.#idleSince = this.#world.scheduler.now;
  }

  #takeNext(): void {
    const { random, server } = this.#world;
    while (!this.isAway && this.#inUse < SLOTS) {
      const request = this.#queue.shift();
      if (!request) return;
      this.#inUse += 1;
      if (random.chance(HOST_DEATH)) this.#dieWith(request);
      else if (server.claims.take(request.effectId, request.attempt ?? 1, HOST)) this.#carryOut(request);
      else this.#free();
    }
  }

  #dieWith(request: R): void {
    this.#after(REDELIVERY_MS, () => {
      this.#queue.unshift(request);
      this.#free();
      this.#takeNext();
    });
  }

  #carryOut(request: R): void {
    const { random } = this.#world;
    this.#answer(request, 'runtime.stage.started', { hostId: HOST, mcpServerMappings: [], timings: {} });
    this.#after(random.between(...STAGE_MS), () => {
      this.#answer(request, 'runtime.stage.completed', { output: 'done', tree: hashJson(request.effectId) });
      this.#unanswered.delete(request.requestId);
      this.#free();
      this.#takeNext();
    });
  }

  #free(): void {
    if (this.#inUse === SLOTS) this.#noteIdle();
    this.#inUse -= 1;
  }

  #after(ms: number, action: () => void): void {
    this.#world.scheduler.after(ms, () => {
      action();
      return false;
    });
  }
}
