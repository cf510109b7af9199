import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Blobs, type Bus, type BusMessage, OrderedPublisher } from '@reins/bus';
import type { BlobRef, Diagnostic, EventOf, JsonValue } from '@reins/contracts';
import { type AnswerFields, BUS, Memo, openTrees, sendAnswer } from '@reins/service-kit';
import { extensionsOf } from '@reins/workspace-plan';
import type { TreeStore } from '@reins/workspace-tree';
import { compileRevision } from './compile-revision.ts';

/** Plans kept in memory. A plan is a few kilobytes, and the same few revisions are asked for again and again. */
const CACHED_PLANS = 1_000;

type Answer =
  | { readonly type: 'runtime.plan.compiled'; readonly fields: AnswerFields<'runtime.plan.compiled'> }
  | { readonly type: 'runtime.plan.rejected'; readonly fields: AnswerFields<'runtime.plan.rejected'> };

/** Answers requests for plans. A revision never changes, so neither does its answer. */
@Injectable()
export class PlanCompilerService implements OnModuleInit, OnModuleDestroy {
  readonly #answers = new Memo<Answer>(CACHED_PLANS);
  #publisher!: OrderedPublisher;
  #trees!: TreeStore;
  #blobs!: Blobs;

  constructor(@Inject(BUS) private readonly bus: Bus) {}

  async onModuleInit(): Promise<void> {
    this.#publisher = new OrderedPublisher(this.bus);
    this.#trees = await openTrees(this.bus);
    this.#blobs = await Blobs.open(this.bus);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#publisher.close();
  }

  /** Compiles what is asked for, and answers. */
  async compile(event: EventOf<'runtime.plan.requested'>, message: BusMessage): Promise<void> {
    const { workspaceId, revision } = event;
    const { type, fields } = await this.#answers.get(`${workspaceId}.${revision}`, () =>
      this.#make(workspaceId, revision),
    );
    await sendAnswer(this.#publisher, message, event, type, fields);
  }

  async #make(workspaceId: string, revision: string): Promise<Answer> {
    const result = await compileRevision(await this.#trees.open(revision), workspaceId);
    const diagnostics: Diagnostic[] = result.diagnostics.map(({ hint, ...rest }) => ({
      ...rest,
      ...(hint !== null && { hint }),
    }));
    if (!result.ok) return { type: 'runtime.plan.rejected', fields: { diagnostics } };
    const { plan, inputs_checksum: inputsChecksum } = result;
    const planRef = await this.#store({ inputsChecksum, plan: plan as unknown as JsonValue, diagnostics });
    const { pipeline, runtime_profile: runtimeProfile } = extensionsOf(plan);
    const shape = { stages: [...pipeline.stages], maxIterations: pipeline.max_iterations };
    return {
      type: 'runtime.plan.compiled',
      fields: {
        planRef,
        configChecksum: plan.config_checksum,
        inputsChecksum,
        diagnostics,
        pipeline: shape,
        ...(plan.extensions?.runtime_profile && { runtimeProfile: { ...runtimeProfile } }),
      },
    };
  }

  #store(record: { inputsChecksum: string; plan: JsonValue; diagnostics: readonly Diagnostic[] }): Promise<BlobRef> {
    return this.#blobs.put(new TextEncoder().encode(JSON.stringify(record)));
  }
}
