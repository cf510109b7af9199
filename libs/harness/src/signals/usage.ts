import type { Usage } from '@reins/contracts';

/** Sums up the usage of the model calls of one execution. Input tokens include cached ones. */
export class UsageSum {
  readonly #provider: string;
  readonly #model: string;
  #sum: { inputTokens: number; cachedInputTokens: number; outputTokens: number; costUsd: number } | undefined;
  /** A call used tokens, and its cost was not reported. */
  #isUnpriced = false;

  constructor(provider: string, model: string) {
    this.#provider = provider;
    this.#model = model;
  }

  add(used: { inputTokens: number; cachedInputTokens?: number; outputTokens: number; costUsd?: number }): void {
    this.#sum ??= { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 };
    this.#sum.inputTokens += used.inputTokens;
    this.#sum.cachedInputTokens += used.cachedInputTokens ?? 0;
    this.#sum.outputTokens += used.outputTokens;
    this.#sum.costUsd += used.costUsd ?? 0;
    this.#isUnpriced ||= !used.costUsd && used.inputTokens + used.outputTokens > 0;
  }

  /** The sum. Without `usage` when nothing was reported: unknown usage is not zero. */
  get usage(): { readonly usage?: Usage } {
    if (!this.#sum) return {};
    const { costUsd, ...tokens } = this.#sum;
    const cost = costUsd > 0 && !this.#isUnpriced ? { costUsd } : {};
    return { usage: { provider: this.#provider, model: this.#model, ...tokens, ...cost } };
  }
}
