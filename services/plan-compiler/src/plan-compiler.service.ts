import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Blobs, type Bus, type BusMessage, EventPublisher } from '@reins/bus';
import {
  type BlobRef,
  type Diagnostic,
  defined,
  type EventOf,
  type JsonObject,
  type JsonValue,
  type MemoryUse,
} from '@reins/contracts';
import { unpricedModel } from '@reins/runtime-config';
import { BUS, LOG, type Logger, Memo, readRevision, Settings, sendAnswer } from '@reins/service-kit';
import {
  agentsOf,
  type CompileInput,
  compileWorkspace,
  extensionsOf,
  inputsChecksum,
  type PlanBudgets,
  type PlanMemory,
  planOfAgent,
} from '@reins/workspace-plan';
import { TreeStore } from '@reins/workspace-tree';
import { type Answer, answerFor, type PlannedAgent } from './answer.ts';
import { compilerVersion } from './compiler-version.ts';
import { pricesVersion } from './prices.ts';
import { StoredAnswers } from './stored-answers.ts';

/** The number of answers kept in memory. An answer has a few kilobytes; for a hostile workspace, up to a few hundred. */
const CACHED_ANSWERS = 250;

/**
 * Answers plan requests. A revision never changes, so its answer is cached. Revisions with the same inputs share one
 * answer, identified by the checksum of these inputs. Answers are also stored in the object store, for other instances
 * and for the time after a restart.
 */
@Injectable()
export class PlanCompilerService implements OnModuleInit, OnModuleDestroy {
  readonly #revisions = new Memo<Answer>(CACHED_ANSWERS);
  readonly #answers = new Memo<Answer>(CACHED_ANSWERS);
  #stored!: StoredAnswers;
  /** Pending writes of answers to the object store. Only the shutdown of the service waits for them. */
  readonly #pendingWrites = new Set<Promise<void>>();

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
    private readonly settings: Settings,
    private readonly blobs: Blobs,
    private readonly trees: TreeStore,
    private readonly events: EventPublisher,
  ) {}

  async onModuleInit(): Promise<void> {
    this.#stored = await StoredAnswers.open(this.bus, await compilerVersion(pricesVersion(this.settings)));
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.#pendingWrites);
  }

  /** Compiles the requested workspace revision and publishes the answer. */
  async compile(event: EventOf<'runtime.plan.requested'>, message: BusMessage): Promise<void> {
    const { workspaceId, revision } = event;
    const key = `${workspaceId}.${revision}`;
    const known = await this.#revisions.get(key, () => this.#answer(workspaceId, revision));
    // A plan that no run has used for long was removed.
    const isStored = known.type === 'runtime.plan.rejected' || (await this.blobs.has(known.fields.planRef.sha256));
    const answer = isStored ? known : await this.#revisions.set(key, this.#compileAgain(workspaceId, revision));
    const { type, fields } = answerFor(answer, event.agentId);
    await sendAnswer(this.events, message, event, type, fields);
  }

  async #compileAgain(workspaceId: string, revision: string): Promise<Answer> {
    const input = await readRevision(await this.trees.open(revision), workspaceId);
    return this.#answers.set(inputsChecksum(input), this.#compileInput(input));
  }

  async #answer(workspaceId: string, revision: string): Promise<Answer> {
    const input = await readRevision(await this.trees.open(revision), workspaceId);
    const checksum = inputsChecksum(input);
    return this.#answers.get(checksum, async () => {
      const stored = await this.#stored.find(checksum);
      if (stored) return stored;
      const answer = await this.#compileInput(input);
      this.#storeAnswer(checksum, answer);
      return answer;
    });
  }

  /** Stores an answer without waiting. An answer that could not be stored is compiled again when needed. */
  #storeAnswer(checksum: string, answer: Answer): void {
    const write = this.#stored
      .store(checksum, answer)
      .catch((error: unknown) => this.log.warn({ err: error }, 'storing a plan answer failed'))
      .finally(() => this.#pendingWrites.delete(write));
    this.#pendingWrites.add(write);
  }

  async #compileInput(input: CompileInput): Promise<Answer> {
    const result = compileWorkspace({ ...input, unpriced: (model) => unpricedModel(model, this.settings) });
    const diagnostics: Diagnostic[] = result.diagnostics.map(({ hint, ...rest }) => ({
      ...rest,
      ...(hint !== null && { hint }),
    }));
    if (!result.ok) return { type: 'runtime.plan.rejected', fields: { diagnostics } };
    const { plan, inputs_checksum: inputsChecksum } = result;
    const planRef = await this.#storePlan({ inputsChecksum, plan: plan as unknown as JsonValue, diagnostics });
    const { pipeline } = extensionsOf(plan);
    const [first, ...others] = agentsOf(plan);
    const agentOf = ({ id }: { readonly id: string }): PlannedAgent => {
      const profile = planOfAgent(plan, id).extensions?.runtime_profile;
      return { id, ...(profile && { runtimeProfile: { ...profile } }) };
    };
    const shape = { stages: [...pipeline.stages], maxIterations: pipeline.max_iterations };
    return {
      type: 'runtime.plan.compiled',
      fields: {
        planRef,
        configChecksum: plan.config_checksum,
        inputsChecksum,
        diagnostics,
        pipeline: shape,
        ...budgetField(plan.extensions?.budgets),
        ...memoryField(plan.extensions?.memory),
      },
      agents: [agentOf(first), ...others.map(agentOf)],
    };
  }

  #storePlan(record: {
    inputsChecksum: string;
    plan: JsonValue;
    diagnostics: readonly Diagnostic[];
  }): Promise<BlobRef> {
    return this.blobs.put(new TextEncoder().encode(JSON.stringify(record)));
  }
}

function memoryField(memory: readonly PlanMemory[] = []): { readonly memory?: readonly MemoryUse[] } {
  if (memory.length === 0) return {};
  return { memory: memory.map(({ scope, limit, max_tokens: maxTokens }) => ({ scope, limit, maxTokens })) };
}

/** The limits that the calls of a model must respect. */
function budgetField(budgets: PlanBudgets | undefined): { readonly budget?: JsonObject } {
  const { max_tokens: maxTokens, max_cost_usd: maxCostUsd } = budgets ?? {};
  if (maxTokens === undefined && maxCostUsd === undefined) return {};
  return { budget: defined({ maxTokens, maxCostUsd }) };
}
