import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Blobs, type Bus, type BusMessage, OrderedPublisher } from '@reins/bus';
import type { BlobRef, Diagnostic, EventOf, JsonValue } from '@reins/contracts';
import { type AnswerFields, BUS, Memo, openTrees, sendAnswer } from '@reins/service-kit';
import { type CompileInput, compileWorkspace, extensionsOf, inputsChecksum } from '@reins/workspace-plan';
import type { TreeStore } from '@reins/workspace-tree';
import { readRevision } from './read-revision.ts';

/**
 * Answers kept in memory: one is a few kilobytes, that of a hostile workspace up to a few hundred. The same few revisions are asked for again
 * and again, and one that was forgotten is compiled anew in less time than it would take to look it up in a store.
 */
const CACHED_ANSWERS = 250;

type Answer =
  | { readonly type: 'runtime.plan.compiled'; readonly fields: AnswerFields<'runtime.plan.compiled'> }
  | { readonly type: 'runtime.plan.rejected'; readonly fields: AnswerFields<'runtime.plan.rejected'> };

/**
 * Answers requests for plans. A revision never changes, so neither does its answer; revisions that differ only in what a plan does not depend
 * on share one, by the checksum of their inputs.
 */
@Injectable()
export class PlanCompilerService implements OnModuleInit, OnModuleDestroy {
  readonly #revisions = new Memo<Answer>(CACHED_ANSWERS);
  readonly #answers = new Memo<Answer>(CACHED_ANSWERS);
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
    const { type, fields } = await this.#revisions.get(`${workspaceId}.${revision}`, () =>
      this.#answer(workspaceId, revision),
    );
    await sendAnswer(this.#publisher, message, event, type, fields);
  }

  async #answer(workspaceId: string, revision: string): Promise<Answer> {
    const input = await readRevision(await this.#trees.open(revision), workspaceId);
    return this.#answers.get(inputsChecksum(input), () => this.#make(input));
  }

  async #make(input: CompileInput): Promise<Answer> {
    const result = compileWorkspace(input);
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
