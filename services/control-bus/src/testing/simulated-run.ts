import type { AnyEvent, EventOf, EventType, JsonObject, Limits, RunAddress } from '@reins/contracts';
import { type Emission, type JournalStore, memoryStream, streamJournalStore } from '@reins/journal';
import type { BuiltInProcess } from '../processes/built-in-process.ts';
import { processOf } from '../processes/registry.ts';
import { RunActor } from '../run/run-actor.ts';
import type { DueTimer, RunPorts, SessionTurnTaken } from '../run/run-ports.ts';
import { triggerOf } from '../run/trigger.ts';

const LIMITS: Limits = { startWithinMs: 10_000, runForMs: 60_000, maxAttempts: 2, onUnknown: 'retry' };
export const SHA = 'a'.repeat(64);
export const TREE = 'b'.repeat(64);

/** A run over an in-memory journal, with workers that a test plays. */
export class SimulatedRun {
  readonly run: RunAddress = { workspaceId: 'ws', runId: 'run1' };
  /** Everything that was told, in order; telling again under the same id is left out, as the log does. */
  readonly told: Emission[] = [];
  readonly orders: { readonly effectId: string; readonly kind: string }[] = [];
  readonly journal: JournalStore = streamJournalStore(memoryStream());
  now = Date.parse('2026-01-01T00:00:00.000Z');
  session: SessionTurnTaken = { now: 'running', session: {} };
  #actor: RunActor | undefined;
  #sent = 0;
  #timer: DueTimer | undefined;
  readonly #process: BuiltInProcess;

  /** @param process what drives it; the pipeline by default */
  constructor(process: BuiltInProcess = processOf('pipeline')) {
    this.#process = process;
  }

  readonly #ports: RunPorts = {
    journal: this.journal,
    teller: {
      tell: async (emissions) => {
        const known = new Set(this.told.map(({ id }) => id));
        this.told.push(...emissions.filter(({ id }) => !known.has(id)));
      },
    },
    controls: {
      send: async (effectId, { kind }) => {
        this.orders.push({ effectId, kind });
      },
      clear: async () => {},
    },
    sessions: { enter: async () => this.session, waiting: async () => undefined, leave: async () => {} },
    clock: { now: () => new Date(this.now) },
    epoch: () => 1,
    processOf: () => this.#process,
    defaults: () => ({
      process: { id: this.#process.id, codeHash: this.#process.codeHash },
      profile: { default: 'openai_chat', stages: { execute: 'pi' } },
      limits: { service: LIMITS, stage: LIMITS },
    }),
    cancelGraceMs: 10_000,
    answerWithinMs: 60_000,
    alarm: (timer) => {
      this.#timer = timer;
    },
  };

  /** The owner dies: the next message finds a new one, which has only the journal. */
  crash(): void {
    this.#actor = undefined;
  }

  async submit(more: Partial<EventOf<'command.run.submit'>> = {}): Promise<void> {
    await this.send('command.run.submit', {
      idempotencyKey: 'k',
      revision: SHA,
      input: 'write',
      submittedAt: '2026-01-01T00:00:00.000Z',
      ...more,
    });
  }

  async send(type: EventType, fields: object): Promise<void> {
    this.#sent += 1;
    const head = { requestId: 'run1', sessionId: 's', agentId: 'main', workspaceId: 'ws' };
    const trigger = triggerOf(`m${this.#sent}`, { type, ...head, ...fields } as unknown as AnyEvent);
    await (await this.#load()).react(trigger);
  }

  /** Time passes, and every timer that is due comes into the inbox. */
  async pass(ms: number): Promise<void> {
    this.now += ms;
    await this.#load();
    for (let timer = this.#timer; timer && timer.due <= this.now; timer = this.#timer) {
      this.#timer = undefined;
      await this.send(timer.body.type, timer.body);
    }
  }

  async #load(): Promise<RunActor> {
    this.#actor ??= await RunActor.load(this.#ports, this.run);
    return this.#actor;
  }

  /** The last request of this type. */
  requested<T extends EventType>(type: T): EventOf<T> {
    const found = this.told.findLast(({ body }) => body.type === type);
    if (!found) throw new Error(`${type} was not told`);
    return found.body as EventOf<T>;
  }

  /** Answers the last request of a kind with these fields. */
  async answer(request: 'plan' | 'prepare' | 'stage', type: EventType, fields: object = {}): Promise<void> {
    const asked = this.requested(`runtime.${request}.requested`) as unknown as JsonObject;
    const { effectId, attempt, stage, runtimeId } = asked;
    await this.send(type, { effectId, attempt, ...(stage !== undefined && { stage, runtimeId }), ...fields });
  }

  async plan(stages: readonly string[], maxIterations = 3): Promise<void> {
    const planRef = { sha256: SHA, size: 1 };
    await this.answer('plan', 'runtime.plan.compiled', {
      planRef,
      configChecksum: 'c',
      inputsChecksum: SHA,
      diagnostics: [],
      pipeline: { stages, maxIterations },
    });
  }

  async prepare(fields: object = {}): Promise<void> {
    const ref = { sha256: SHA, size: 1 };
    await this.answer('prepare', 'runtime.prepare.completed', {
      hostRequestRef: ref,
      snapshotRef: ref,
      fingerprint: SHA,
      timings: {},
      ...fields,
    });
  }

  async start(): Promise<void> {
    await this.answer('stage', 'runtime.stage.started', { hostId: 'h1', mcpServerMappings: [], timings: {} });
  }

  /** Prepares, starts and completes the stage that is due. */
  async complete(fields: object = {}): Promise<void> {
    await this.prepare();
    await this.start();
    await this.answer('stage', 'runtime.stage.completed', { output: 'done', tree: TREE, ...fields });
  }

  get types(): string[] {
    return this.told.map(({ body }) => body.type);
  }

  get directives(): string[] {
    return this.told.flatMap(({ body }) => (body.type === 'control.directive.emitted' ? [body.directive] : []));
  }
}
