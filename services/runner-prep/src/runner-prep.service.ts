import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Blobs, type Bus, type BusMessage, inline, OrderedPublisher } from '@reins/bus';
import { type BlobRef, type EventOf, isReinsError, type PlanRecord, parseJson, problemOf } from '@reins/contracts';
import type { Installation } from '@reins/runtime-config';
import { BUS, HarnessWatch, LOG, type Logger, Memo, Settings, sendAnswer } from '@reins/service-kit';
import type { CompiledWorkspaceRuntimePlan } from '@reins/workspace-plan';
import { harnessCapabilities } from './harness-capabilities.ts';
import { installationOf } from './installation.ts';
import { prepare } from './prepare.ts';
import { StepTimer } from './step-timer.ts';

const CACHED_PLANS = 1_000;

/** Answers requests for preparation. */
@Injectable()
export class RunnerPrepService implements OnModuleInit, OnModuleDestroy {
  #harnesses!: HarnessWatch;
  readonly #installation: Installation;
  /** The same plan object for every request, so that what follows from it is remembered with it. */
  readonly #plans = new Memo<CompiledWorkspaceRuntimePlan>(CACHED_PLANS);
  #publisher!: OrderedPublisher;
  #blobs!: Blobs;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
    @Inject(Settings) settings: Settings,
  ) {
    this.#installation = installationOf(settings);
  }

  async onModuleInit(): Promise<void> {
    this.#publisher = new OrderedPublisher(this.bus);
    this.#blobs = await Blobs.open(this.bus);
    this.#harnesses = await HarnessWatch.start(this.bus);
  }

  async onModuleDestroy(): Promise<void> {
    this.#harnesses.stop();
    await this.#publisher.close();
  }

  /** Prepares the stage that is asked for, and answers. What the request itself makes impossible is an answer, not a failure of ours. */
  async prepare(event: EventOf<'runtime.prepare.requested'>, message: BusMessage): Promise<void> {
    try {
      await sendAnswer(this.#publisher, message, event, 'runtime.prepare.completed', await this.#prepared(event));
    } catch (error) {
      if (!isReinsError(error) || isOurs(error.code)) throw error;
      const { code, message: text, path, hint } = problemOf(error);
      const told = { code, message: text, ...(path !== undefined && { path }), ...(hint !== undefined && { hint }) };
      await sendAnswer(this.#publisher, message, event, 'runtime.prepare.failed', { error: told });
    }
  }

  async #prepared(event: EventOf<'runtime.prepare.requested'>) {
    const timer = new StepTimer();
    const plan = await timer.step('load_plan', () =>
      this.#plans.get(event.planRef.sha256, () => this.#plan(event.planRef)),
    );
    const harness = harnessCapabilities(this.#harnesses.capabilitiesOf(event.runtimeId));
    const prepared = await timer.step('project', () => prepare(event, plan, this.#installation, harness));
    for (const warning of prepared.warnings)
      this.log.warn({ requestId: event.requestId, code: warning.code, path: warning.path }, warning.message);
    const [hostRequestRef, snapshotRef] = await timer.step('persist_turn_request_snapshot', () =>
      Promise.all([this.#store(prepared.hostRequest), this.#store(prepared.snapshot)]),
    );
    return { hostRequestRef, snapshotRef, fingerprint: prepared.fingerprint, timings: timer.timings };
  }

  #store(value: unknown): Promise<BlobRef> {
    return this.#blobs.put(new TextEncoder().encode(JSON.stringify(value)));
  }

  async #plan(ref: BlobRef): Promise<CompiledWorkspaceRuntimePlan> {
    const record = parseJson(await inline(this.#blobs, await this.#blobs.get(ref))) as PlanRecord;
    return record.plan as unknown as CompiledWorkspaceRuntimePlan;
  }
}

/** Errors of the bus and its stores say nothing about the request: the message is delivered again. */
const isOurs = (code: string): boolean => code.startsWith('bus_') || code.startsWith('blob_');
