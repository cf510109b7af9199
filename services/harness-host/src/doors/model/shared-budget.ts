import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorInfo, RuntimeStageRequested, StageBudget } from '@reins/contracts';
import type { ModelFacts } from '@reins/model-catalog';
import { type CallBudget, maximumUse, type Reservation, realUse, refusalOf } from './call-budget.ts';
import type { CallEstimate } from './usage/estimate.ts';
import type { EndedCall } from './usage/metered-call.ts';
import type { UsesWriters } from './uses-writer.ts';

type Owner = Pick<RuntimeStageRequested, 'workspaceId' | 'requestId'>;

/** A stage that ends waits so long until its use is stored, so that the next one knows it. */
const SETTLED_WITHIN_MS = 2000;
const NOTHING: Reservation = { tokens: 0, costUsd: 0 };

/**
 * The budget that all stages of a request share, also those of its child runs on other hosts. The uses are in a bucket,
 * where each call writes its reservation before it is forwarded. So what a host used before it died counts, and its
 * reservations stay.
 */
export class SharedBudget implements CallBudget {
  readonly #writers: UsesWriters;
  readonly #budget: StageBudget;
  readonly #model: ModelFacts;
  readonly #runId: string;
  readonly #key: string;

  constructor(writers: UsesWriters, { workspaceId, requestId }: Owner, budget: StageBudget, model: ModelFacts) {
    this.#writers = writers;
    this.#budget = budget;
    this.#model = model;
    this.#runId = requestId;
    this.#key = `budget.${workspaceId}.${budget.sharedBy ?? requestId}`;
  }

  async reserve(estimate: CallEstimate): Promise<Reservation | ErrorInfo> {
    const added = maximumUse(estimate, this.#model);
    const { usedTokens, usedCostUsd } = this.#budget;
    const change = { runId: this.#runId, added, used: { tokens: usedTokens, costUsd: usedCostUsd } };
    const refusal = (used: Reservation) => refusalOf(added, { used, limits: this.#budget, model: this.#model });
    return (await this.#writers.reserve(this.#key, change, refusal)) ?? added;
  }

  async release(reservation: Reservation): Promise<void> {
    await this.#correct(reservation, NOTHING);
  }

  async settle(reservation: Reservation, ended: Pick<EndedCall, 'call' | 'error'>): Promise<void> {
    await this.#correct(reservation, realUse(reservation, ended));
  }

  /** While the bus is not available, the host keeps the correction. If it dies, the reservation stays. */
  async #correct(reservation: Reservation, real: Reservation): Promise<void> {
    const added = { tokens: real.tokens - reservation.tokens, costUsd: real.costUsd - reservation.costUsd };
    const stored = this.#writers.correct(this.#key, { runId: this.#runId, added });
    const enough = new AbortController();
    const late = sleep(SETTLED_WITHIN_MS, undefined, { ref: false, signal: enough.signal }).catch(() => undefined);
    await Promise.race([stored, late]);
    enough.abort();
  }
}
