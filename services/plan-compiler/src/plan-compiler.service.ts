import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Blobs, type Bus, type BusMessage, OrderedPublisher } from '@reins/bus';
import type { BlobRef, Diagnostic, EventOf, JsonValue } from '@reins/contracts';
import { BUS, LOG, type Logger, Memo, openTrees, sendAnswer } from '@reins/service-kit';
import { type CompileInput, compileWorkspace, extensionsOf, inputsChecksum } from '@reins/workspace-plan';
import type { TreeStore } from '@reins/workspace-tree';
import type { Answer } from './answer.ts';
import { compilerVersion } from './compiler-version.ts';
import { readRevision } from './read-revision.ts';
import { StoredAnswers } from './stored-answers.ts';

/** Answers kept in memory: one is a few kilobytes, that of a hostile workspace up to a few hundred. */
const CACHED_ANSWERS = 250;

/**
 * Answers requests for plans. A revision never changes, so neither does its answer; revisions that differ only in what a plan does not depend
 * on share one, by the checksum of their inputs. What is not in memory may be in the object store, where a service finds what others compiled,
 * and what it compiled itself before it was started again.
 */
@Injectable()
export class PlanCompilerService implements OnModuleInit, OnModuleDestroy {
  readonly #revisions = new Memo<Answer>(CACHED_ANSWERS);
  readonly #answers = new Memo<Answer>(CACHED_ANSWERS);
  #publisher!: OrderedPublisher;
  #trees!: TreeStore;
  #blobs!: Blobs;
  #stored!: StoredAnswers;
  /** Answers on their way into the store. Nobody waits for one but the end of the service. */
  readonly #keeping = new Set<Promise<void>>();

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    this.#publisher = new OrderedPublisher(this.bus);
    this.#trees = await openTrees(this.bus);
    this.#blobs = await Blobs.open(this.bus);
    this.#stored = await StoredAnswers.open(this.bus, await compilerVersion());
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.#keeping);
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
    const checksum = inputsChecksum(input);
    return this.#answers.get(checksum, async () => {
      const stored = await this.#stored.find(checksum);
      if (stored) return stored;
      const answer = await this.#make(input);
      this.#keep(checksum, answer);
      return answer;
    });
  }

  /** An answer that could not be kept is made again. */
  #keep(checksum: string, answer: Answer): void {
    const kept = this.#stored
      .keep(checksum, answer)
      .catch((error: unknown) => this.log.warn({ err: error }, 'a plan could not be kept for others'))
      .finally(() => this.#keeping.delete(kept));
    this.#keeping.add(kept);
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
