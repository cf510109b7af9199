import {
  type AnyEvent,
  type EventOf,
  type EventType,
  type JsonObject,
  type JsonValue,
  type Limits,
  problemsOfEvent,
  ReinsError,
  type RunAddress,
} from '@reins/contracts';
import {
  type Emission,
  type Entry,
  hashJson,
  type JournalStore,
  memoryStream,
  streamJournalStore,
} from '@reins/journal';
import { type DueStep, inProcess } from '@reins/replay';
import { type BuiltInProcess, definitionFor } from '../processes/built-in-process.ts';
import type { StageOptions } from '../processes/pipeline-inputs.ts';
import { processOf } from '../processes/registry.ts';
import { triggerOf } from '../run/decide/trigger.ts';
import { RunActor } from '../run/lifecycle/run-actor.ts';
import type { DueTimer, RunJournal, RunPorts, SessionTurnResult, TerminalFact } from '../run/run-ports.ts';

const LIMITS: Limits = { startWithinMs: 10_000, runForMs: 60_000, maxAttempts: 2, onUnknown: 'retry' };
const MEMORY_LIMITS: Limits = { startWithinMs: 2_000, runForMs: 2_000, maxAttempts: 1, onUnknown: 'fail' };
export const SHA = 'a'.repeat(64);
export const TREE = 'b'.repeat(64);

type RequestKind = 'plan' | 'prepare' | 'stage' | 'task' | 'tool.direct' | 'workflow' | 'memory.recall';

/** A point in a reaction at which the owner may crash. */
export type CrashAt = 'before append' | 'append' | 'publish' | 'post' | 'leave';

/** The owner crashed. The message has to be delivered again. */
export class SimulatedCrash extends Error {}

/** A run over an in-memory journal. The test acts as its workers. */
export class SimulatedRun {
  readonly run: RunAddress;
  /** Published facts in order, deduplicated by id like in the event log. */
  readonly published: Emission[] = [];
  /** The ids of facts that were published again. */
  readonly repeated: string[] = [];
  readonly orders: { readonly effectId: string; readonly kind: string; readonly attempt: number }[] = [];
  /** The host that has claimed the current attempt of the stage, as the claims show it. */
  claimedBy: string | undefined;
  /** Since when the hosts of every runtime are idle, by its clock; undefined when they are busy, or there are none. */
  hostsIdleSince: number | undefined = Number.NEGATIVE_INFINITY;
  /** The slots of the hosts of every runtime. */
  hostSlots = 1;
  readonly journal: JournalStore;
  now = Date.parse('2026-01-01T00:00:00.000Z');
  /** The epoch of its owner. */
  epoch = 1;
  session: SessionTurnResult = { status: 'running', session: {} };
  /** The limits of the stages of a run that is submitted later. */
  stageLimits: Limits = LIMITS;
  /** What the profile of the installation says about the stage `execute` of a run that is submitted later. */
  executeOptions: StageOptions | undefined;
  #actor: RunActor | undefined;
  /** The last version whose facts and follow-ups its owner has done. */
  #settledVersion: number | undefined;
  #sent = 0;
  #timer: DueTimer | undefined;
  /** Messages to other runs in order, deduplicated by id. */
  readonly posted: { readonly id: string; readonly body: AnyEvent }[] = [];
  /** Its process. A test may replace it after a crash. */
  process: BuiltInProcess | undefined;
  readonly #blobs = new Map<string, JsonValue>();
  readonly #steps: DueStep[] = [];
  readonly #delivered = new Set<string>();

  /** @param process used for every process id; default: the built-in process of that id */
  constructor(process?: BuiltInProcess, runId = 'run1', journal = streamJournalStore(memoryStream())) {
    this.process = process;
    this.journal = journal;
    this.run = { workspaceId: 'ws', runId };
  }

  readonly #ports: RunPorts = {
    journal: this.#ownedJournal(),
    factPublisher: {
      publish: async (emissions) => {
        for (const { body } of emissions) {
          const problems = problemsOfEvent(body);
          if (problems.length > 0) throw new ReinsError(problems);
        }
        const known = new Set(this.published.map(({ id }) => id));
        this.repeated.push(...emissions.map(({ id }) => id).filter((id) => known.has(id)));
        for (const emission of emissions.filter(({ id }) => !known.has(id))) {
          this.#crashIfAt('publish');
          this.#assertOnlyEnd(emission);
          this.published.push(emission);
        }
      },
    },
    controls: {
      send: async (effectId, { attempt, kind }) => {
        this.orders.push({ effectId, kind, attempt });
      },
      clear: async () => {},
    },
    claims: { revoke: async () => this.claimedBy },
    sessions: {
      enter: async () => this.session,
      waiting: async () => undefined,
      leave: async () => this.#crashIfAt('leave'),
    },
    clock: { now: () => new Date(this.now) },
    publishedEnd: async () => this.published.find(({ terminal }) => terminal)?.body as TerminalFact | undefined,
    processOf: (id, codeHash) => this.process ?? processOf(id, codeHash),
    // Workspace code is the process of the test.
    authored: {
      named: async () => undefined,
      runner: async ({ id, revision }) =>
        inProcess(definitionFor(this.process ?? processOf(id), { agentId: 'main', revision, session: {} })),
      assertInput: async () => {},
    },
    values: {
      put: async (value) => {
        const sha256 = hashJson(value);
        this.#blobs.set(sha256, value);
        return { sha256, size: JSON.stringify(value).length };
      },
      get: async ({ sha256 }) => this.#blobs.get(sha256) as JsonValue,
    },
    post: async (id, body) => {
      this.#crashIfAt('post');
      if (!this.posted.some((known) => known.id === id)) this.posted.push({ id, body });
    },
    runStep: (step) => {
      this.#steps.push(step);
    },
    defaults: () => ({
      profile: {
        default: 'openai_chat',
        stages: { execute: 'pi' },
        ...(this.executeOptions && { options: { execute: this.executeOptions } }),
      },
      limits: { service: LIMITS, stage: this.stageLimits, memory: MEMORY_LIMITS },
    }),
    cancelGraceMs: 10_000,
    answerWithinMs: 60_000,
    stageHosts: { idleMs: (_, periodMs) => this.#hostsIdleMs(periodMs), slotsOf: () => this.hostSlots },
    stageQueue: { holds: async () => this.isStageQueued },
    stageQueueForMs: 600_000,
    alarm: (timer) => {
      this.#timer = timer;
    },
    clearTimers: async () => {},
  };

  #ownedJournal(): RunJournal {
    const epoch = (): number => this.epoch;
    return {
      get epoch() {
        return epoch();
      },
      load: (run) => this.journal.load(run),
      append: async (run, commit, position) => {
        this.#crashIfAt('before append');
        const appended = await this.journal.append(run, commit, position);
        this.#crashIfAt('append');
        return appended;
      },
      settled: (_, { version }) => {
        this.#settledVersion = version;
      },
      isSettled: (_, version) => version === this.#settledVersion,
    };
  }

  /** The event log takes one terminal fact of each type. @throws ReinsError `bus_sequence_taken` */
  #assertOnlyEnd({ body, terminal }: Emission): void {
    if (terminal && this.published.some((known) => known.terminal && known.body.type === body.type))
      throw new ReinsError({ code: 'bus_sequence_taken', message: 'the subject already has a message' });
  }

  /** Whether the queue holds the stage requests that no host has claimed. */
  isStageQueued = true;

  /** Where the owner crashes, once. */
  crashAt: CrashAt | undefined;

  #crashIfAt(here: CrashAt): void {
    if (this.crashAt !== here) return;
    this.crashAt = undefined;
    throw new SimulatedCrash(here);
  }

  #hostsIdleMs(periodMs: number): number {
    return this.now - Math.max(this.hostsIdleSince ?? this.now, this.now - periodMs);
  }

  /** Crashes the owner. The next message is handled by a new one, which loads the journal, and has not seen the hosts before. */
  crash(): void {
    this.leaveMemory();
    this.#settledVersion = undefined;
    this.hostsIdleSince = this.now;
    this.#steps.length = 0;
  }

  /** Its owner loads it again for the next message. */
  leaveMemory(): void {
    this.#actor = undefined;
  }

  /** Runs due local steps until none is left. */
  async runSteps(): Promise<void> {
    await this.#load();
    for (let step = this.#steps.shift(); step; step = this.#steps.shift()) {
      const result = await step.run();
      await (await this.#load()).stepDone(result);
    }
  }

  /** Number of blobs with large values. */
  get blobs(): number {
    return this.#blobs.size;
  }

  async entries(): Promise<readonly Entry[]> {
    return (await this.journal.load(this.run)).entries;
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
    const head = { requestId: this.run.runId, sessionId: 's', agentId: 'main', workspaceId: 'ws' };
    const trigger = triggerOf(`m${this.#sent}`, { type, ...head, ...fields } as unknown as AnyEvent);
    await (await this.#load()).react(trigger);
  }

  /** Advances the clock, and delivers every due timer. */
  async pass(ms: number): Promise<void> {
    this.now += ms;
    await this.#load();
    for (let timer = this.#timer; timer && timer.due <= this.now; timer = this.#timer) {
      this.#timer = undefined;
      await this.send(timer.body.type, timer.body);
    }
  }

  /** Delivers the messages to another run that were not delivered yet. */
  async deliverTo(other: SimulatedRun): Promise<void> {
    for (const message of this.posted) {
      if (message.body.requestId !== other.run.runId || this.#delivered.has(message.id)) continue;
      this.#delivered.add(message.id);
      await other.send(message.body.type, message.body);
    }
  }

  async #load(): Promise<RunActor> {
    this.#actor ??= await RunActor.load(this.#ports, this.run);
    return this.#actor;
  }

  /** The last published event of this type. */
  requested<T extends EventType>(type: T): EventOf<T> {
    const found = this.published.findLast(({ body }) => body.type === type);
    if (!found) throw new Error(`${type} was not published`);
    return found.body as EventOf<T>;
  }

  /** Answers the last request of a kind. */
  async answer(request: RequestKind, type: EventType, fields: object = {}): Promise<void> {
    const asked = this.requested(`runtime.${request}.requested`) as unknown as JsonObject;
    const { effectId, attempt, stage, runtimeId } = asked;
    await this.send(type, { effectId, attempt, ...(stage !== undefined && { stage, runtimeId }), ...fields });
  }

  async plan(stages: readonly string[], maxIterations = 3, fields: object = {}): Promise<void> {
    const planRef = { sha256: SHA, size: 1 };
    await this.answer('plan', 'runtime.plan.compiled', {
      planRef,
      configChecksum: 'c',
      inputsChecksum: SHA,
      diagnostics: [],
      pipeline: { stages, maxIterations },
      ...fields,
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

  async start(fields: object = {}): Promise<void> {
    const started = { hostId: 'h1', mcpServerMappings: [], timings: {} };
    await this.answer('stage', 'runtime.stage.started', { ...started, ...fields });
  }

  /** Prepares, starts and completes the next stage. */
  async complete(fields: object = {}): Promise<void> {
    await this.prepare();
    await this.start();
    await this.answer('stage', 'runtime.stage.completed', { output: 'done', tree: TREE, ...fields });
  }

  get types(): string[] {
    return this.published.map(({ body }) => body.type);
  }

  get directives(): string[] {
    return this.published.flatMap(({ body }) => (body.type === 'control.directive.emitted' ? [body.directive] : []));
  }
}
