import { claimKey } from '@reins/bus';
import type { Random } from '@reins/chaos/random';
import { type JsonObject, type JsonValue, parseJson } from '@reins/contracts';
import { hashJson } from '@reins/journal';
import type { StoredMessage } from '../server/log.ts';
import type { HostControl } from '../server/server.ts';
import { BusyHosts } from './busy-hosts.ts';
import { inboxMessage } from './inbox-message.ts';
import type { WorldOptions } from './world-options.ts';

/** A published request for work. */
interface WorkRequest extends JsonObject {
  readonly type: string;
  readonly requestId: string;
  readonly effectId: string;
  readonly attempt?: number;
  /** Set for a stage that was suspended. */
  readonly resume?: { readonly number: number };
}

/** The fields that an answer copies from its request. */
const HEAD: ReadonlySet<string> = new Set(
  'requestId sessionId agentId workspaceId effectId attempt stage runtimeId kind taskId label toolId workflowId adapter'.split(
    ' ',
  ),
);
const HOST = 'host';
const REF = { sha256: hashJson('ref'), size: 1 };
const OUTLIVES_ATTEMPTS_MS = 90_000;
/** The last one is longer than the deadline for the claim. */
const PREPARATIONS_MS = [10, 500, 5_000, 40_000] as const;
/** Hosts report a claim only when the preparation takes longer than this. */
const CLAIM_NOTICE_MS = 100;

/**
 * The workers for plans, preparations, stages, tools, workflows and tasks. Good ones answer once and soon. Bad ones do
 * not answer, or answer late, twice, or for a wrong attempt or effect.
 */
export class Workers {
  readonly #world: WorldOptions;
  readonly #atWork = new Map<string, WorkRequest>();
  /** By effect: repeats the question that suspended it. */
  readonly #repeatQuestion = new Map<string, () => void>();
  readonly busyHosts: BusyHosts<WorkRequest>;
  #answers = 0;

  constructor(world: WorldOptions) {
    this.#world = world;
    this.busyHosts = new BusyHosts(world, (request, type, fields) => this.#answer(request, type, fields));
  }

  /** Handles a new message of the event log. */
  onMessage({ data, subject }: StoredMessage): void {
    if (!subject.includes('.requested.')) return;
    const request = parseJson(data) as unknown as WorkRequest;
    if (typeof request.effectId !== 'string' || !(request.type in ANSWERS)) return;
    const isOfBurst = this.busyHosts.requests.has(request.requestId);
    if (isOfBurst && request.type === 'runtime.stage.requested') return void this.busyHosts.request(request);
    const { random } = this.#world;
    const repeat = request.resume && this.#repeatQuestion.get(request.effectId);
    if (repeat) this.#after(random.between(1, 6_000), repeat);
    const delay = this.#isBad ? random.between(1, OUTLIVES_ATTEMPTS_MS) : random.between(1, 3_000);
    if (this.#isBad && random.chance(0.4)) return;
    this.#after(delay, () => this.#work(request));
    if (this.#isBad) this.#after(random.between(1, OUTLIVES_ATTEMPTS_MS), () => this.#work(request));
  }

  /** Handles a control message. Some hosts ignore it. */
  onControl(effectId: string, { attempt, kind }: HostControl): void {
    const request = this.#atWork.get(effectId);
    if (kind !== 'cancel' || !request || attempt < (request.attempt ?? 1) || this.#isBad) return;
    const failed = { error: { code: 'effect_cancelled', message: 'stopped' }, retryable: false };
    const answers = ANSWERS[request.type] as Answers;
    this.#after(this.#world.random.between(1, 2_000), () =>
      this.#answer(request, answers.cancelled ?? answers.failed, answers.cancelled ? {} : failed),
    );
  }

  get #isBad(): boolean {
    return this.#world.random.chance(this.#world.faults().badWork);
  }

  /** Work with side effects is claimed and prepared first. */
  #work(request: WorkRequest): void {
    const { random, server } = this.#world;
    const { started } = ANSWERS[request.type] as Answers;
    if (started === undefined) return void this.#carryOut(request);
    const { attempt = 1, effectId, resume } = request;
    const claim = claimKey(effectId, resume?.number);
    if (!server.claims.take(claim, attempt, HOST)) return void this.#workElsewhere(request, claim);
    const ms = random.between(1, random.pick(PREPARATIONS_MS));
    const isReported = request.type === 'runtime.stage.requested' && ms > CLAIM_NOTICE_MS && !this.#isBad;
    if (isReported)
      this.#after(CLAIM_NOTICE_MS, () => this.#answer(request, 'runtime.stage.claimed', { hostId: HOST }));
    this.#after(ms, () => {
      if (server.claims.isHeld(claim, attempt)) this.#carryOut(request);
    });
  }

  /** A redelivered request. Its holder may be frozen, or have lost its connection: then it is alive, but not seen. */
  #workElsewhere(request: WorkRequest, claim: string): void {
    if (!this.#isBad || !this.#world.server.claims.abandon(claim, request.attempt ?? 1)) return;
    const error = { code: 'stage_outcome_unknown', message: 'its host is gone' };
    const { failed } = ANSWERS[request.type] as Answers;
    this.#answer(request, failed, { error, retryable: true, outcome: 'unknown' });
  }

  #carryOut(request: WorkRequest): void {
    const { random, server } = this.#world;
    const answers = ANSWERS[request.type] as Answers;
    this.#atWork.set(request.effectId, request);
    // A host also gets the orders that were sent before it started.
    for (const control of server.controls.get(request.effectId) ?? []) this.onControl(request.effectId, control);
    if (answers.started && !random.chance(0.1)) this.#answer(request, answers.started, answers.startedFields ?? {});
    if (random.chance(0.05)) this.#answer(request, 'effect.progress', { percent: 50 });
    const question = { question: 'which one?' };
    const isStage = request.type === 'runtime.stage.requested';
    // A host of an earlier version waits in place.
    if (isStage && random.chance(0.05)) this.#answer(request, 'runtime.stage.waiting', question);
    // A stage that got an answer often has another question.
    if (isStage && random.chance(request.resume ? 0.5 : 0.3)) {
      const suspended = { tree: REF.sha256, signals: random.between(0, 9) };
      return void this.#after(random.between(0, 4_000), () => {
        server.questions.set(request.effectId, (server.questions.get(request.effectId) ?? 0) + 1);
        const ask = () => this.#answer(request, 'runtime.stage.waiting', { ...question, suspended });
        ask();
        this.#repeatQuestion.set(request.effectId, ask);
      });
    }
    this.#after(random.between(0, 4_000), () => this.#finish(request, answers));
  }

  #finish(request: WorkRequest, answers: Answers): void {
    const { random, server } = this.#world;
    if (server.claims.isAbandoned(claimKey(request.effectId, request.resume?.number), request.attempt ?? 1)) return;
    if (this.#isBad) {
      const attempt = random.pick([1, 2, 5]);
      const stranger = { ...request, attempt, ...(random.chance(0.3) && { effectId: `${request.effectId}x` }) };
      this.#answer(stranger, answers.completed, answers.result(request, random));
    }
    if (this.#isBad && answers.failed !== 'runtime.plan.rejected') {
      const outcome = random.pick(['failed', 'unknown'] as const);
      const error = { code: 'harness_failed', message: 'it broke' };
      return void this.#answer(request, answers.failed, { error, retryable: random.chance(0.7), outcome });
    }
    if (answers.failed === 'runtime.plan.rejected' && random.chance(0.03)) {
      const diagnostics = [{ severity: 'error', code: 'workspace_invalid', message: 'it does not compile' }];
      return void this.#answer(request, answers.failed, { diagnostics });
    }
    this.#answer(request, answers.completed, answers.result(request, random));
  }

  #answer(request: WorkRequest, type: string, fields: JsonObject): void {
    const { random, server } = this.#world;
    const head = Object.fromEntries(Object.entries(request).filter(([name]) => HEAD.has(name)));
    const resumption = request.resume && { resumption: request.resume.number };
    const body = { ...head, ...resumption, type, ...fields } as JsonObject;
    this.#answers += 1;
    const message = inboxMessage(`answer-${this.#answers}`, body);
    server.publish(message);
    if (!this.#isBad) return;
    // A repeat with the same id is a duplicate, with another id it is not.
    const again = random.chance(0.5) ? message : { ...message, id: `${message.id}-again` };
    this.#after(random.between(1, OUTLIVES_ATTEMPTS_MS * 2), () => server.publish(again));
  }

  #after(ms: number, action: () => void): void {
    this.#world.scheduler.after(ms, () => {
      action();
      return false;
    });
  }
}

interface Answers {
  readonly started?: string;
  readonly startedFields?: JsonObject;
  readonly completed: string;
  readonly failed: string;
  readonly cancelled?: string;
  readonly result: (request: WorkRequest, random: Random) => JsonObject;
}

const PIPELINES = [
  ['execute'],
  ['execute'],
  ['interview', 'execute'],
  ['execute', 'evaluate', 'reflect'],
  ['evaluate'],
];
const LARGE = 70 * 1024;

const ANSWERS: Readonly<Record<string, Answers>> = {
  'runtime.plan.requested': {
    completed: 'runtime.plan.compiled',
    failed: 'runtime.plan.rejected',
    result: (_, random) => ({
      planRef: REF,
      configChecksum: 'c',
      inputsChecksum: REF.sha256,
      diagnostics: [],
      pipeline: { stages: random.pick(PIPELINES), maxIterations: 2 },
    }),
  },
  'runtime.prepare.requested': {
    completed: 'runtime.prepare.completed',
    failed: 'runtime.prepare.failed',
    result: () => ({ hostRequestRef: REF, snapshotRef: REF, fingerprint: REF.sha256, timings: {} }),
  },
  'runtime.stage.requested': {
    started: 'runtime.stage.started',
    startedFields: { hostId: HOST, mcpServerMappings: [], timings: {} },
    completed: 'runtime.stage.completed',
    failed: 'runtime.stage.failed',
    cancelled: 'runtime.stage.cancelled',
    result: ({ effectId, stage }, random) => ({
      output: random.chance(0.02) ? 'x'.repeat(LARGE) : `did ${stage}`,
      tree: hashJson([effectId, random.between(1, 3)]),
      harnessSessionId: `harness-${effectId.slice(-6)}`,
      ...(stage === 'evaluate' && { verdict: { outcome: random.pick(['pass', 'fail']), reasons: ['so it is'] } }),
    }),
  },
  'runtime.task.requested': {
    completed: 'runtime.task.completed',
    failed: 'runtime.task.failed',
    result: ({ taskId }) => ({ value: { done: taskId ?? null } as JsonValue }),
  },
  'runtime.tool.direct.requested': {
    started: 'runtime.tool.direct.started',
    completed: 'runtime.tool.direct.completed',
    failed: 'runtime.tool.direct.failed',
    result: () => ({ output: 'used' }),
  },
  'runtime.workflow.requested': {
    started: 'runtime.workflow.started',
    completed: 'runtime.workflow.completed',
    failed: 'runtime.workflow.failed',
    result: () => ({ output: 'flowed' }),
  },
};
