import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry, TypedBucket } from '@reins/bus';
import { type ErrorInfo, ReinsError, type RuntimeStageRequested, type StageBudget } from '@reins/contracts';
import type { ModelFacts } from '@reins/model-catalog';
import { type CallBudget, maximumUse, type Reservation, realUse, refusalOf, sumOfUses } from './run-budget.ts';
import type { CallEstimate } from './usage/estimate.ts';
import type { EndedCall } from './usage/metered-call.ts';

/** What the runs of one request have used and reserved, by run id. */
export type Uses = Readonly<Record<string, Reservation>>;

/** The uses of all requests with child runs. */
export type UsesBucket = Pick<TypedBucket<Uses>, 'get' | 'create' | 'update'>;

type Owner = Pick<RuntimeStageRequested, 'workspaceId' | 'requestId'>;

/** Longer than any request is expected to take. Each call renews it. */
const KEEP_MS = 30 * 24 * 3_600_000;
const MAX_TRIES = 50;
const MAX_PAUSE_MS = 20;
const NOTHING: Reservation = { tokens: 0, costUsd: 0 };

/**
 * The budget that all stages of a request share, also those of its child runs on other hosts. The uses are in a bucket,
 * where each call writes its reservation before it is forwarded. So the reservation of a host that dies stays.
 */
export class SharedBudget implements CallBudget {
  readonly #bucket: UsesBucket;
  readonly #budget: StageBudget;
  readonly #model: ModelFacts;
  readonly #run: string;
  readonly #key: string;
  #known: Entry<Uses> | undefined;

  constructor(bucket: UsesBucket, { workspaceId, requestId }: Owner, budget: StageBudget, model: ModelFacts) {
    this.#bucket = bucket;
    this.#budget = budget;
    this.#model = model;
    this.#run = requestId;
    this.#key = `budget.${workspaceId}.${budget.sharedBy ?? requestId}`;
  }

  reserve(estimate: CallEstimate): Promise<Reservation | ErrorInfo> {
    const wanted = maximumUse(estimate, this.#model);
    return this.#change(wanted, (used) => refusalOf(wanted, { used, limits: this.#budget, model: this.#model }));
  }

  async release(reservation: Reservation): Promise<void> {
    await this.#correct(reservation, NOTHING);
  }

  async settle(reservation: Reservation, { call }: Pick<EndedCall, 'call'>): Promise<void> {
    await this.#correct(reservation, realUse(reservation, call));
  }

  /** If the bus fails, the reservation stays, as that of a host that died. */
  async #correct(reservation: Reservation, real: Reservation): Promise<void> {
    const difference = { tokens: real.tokens - reservation.tokens, costUsd: real.costUsd - reservation.costUsd };
    await this.#change(difference, () => undefined).catch(() => undefined);
  }

  /** Adds to the uses of the run unless it is refused. Others may change theirs at the same time. */
  async #change(
    added: Reservation,
    refusal: (used: Reservation) => ErrorInfo | undefined,
  ): Promise<Reservation | ErrorInfo> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      this.#known ??= await this.#bucket.get(this.#key);
      const current = this.#known;
      const uses = this.#withEarlier(current?.value ?? {});
      const refused = refusal(sumOfUses(Object.values(uses)));
      // What is known may be older than what others have given back.
      if (refused && tries > 0) return refused;
      if (!refused && (await this.#write({ ...uses, [this.#run]: sumOfUses([this.#of(uses), added]) }, current)))
        return added;
      this.#known = undefined;
      if (!refused) await sleep(Math.random() * MAX_PAUSE_MS);
    }
    throw new ReinsError({ code: 'bus_unavailable', message: 'the use of the budget could not be recorded' });
  }

  /** The control bus knows what the earlier stages and attempts of this run have used. */
  #withEarlier(uses: Uses): Uses {
    const { tokens, costUsd } = this.#of(uses);
    const { usedTokens, usedCostUsd } = this.#budget;
    const own = { tokens: Math.max(tokens, usedTokens), costUsd: Math.max(costUsd, usedCostUsd) };
    return { ...uses, [this.#run]: own };
  }

  #of(uses: Uses): Reservation {
    return (Object.hasOwn(uses, this.#run) && uses[this.#run]) || NOTHING;
  }

  async #write(value: Uses, current: Entry<Uses> | undefined): Promise<boolean> {
    const revision = current
      ? await this.#bucket.update(this.#key, value, current.revision, KEEP_MS)
      : await this.#bucket.create(this.#key, value, KEEP_MS);
    if (revision !== undefined) this.#known = { key: this.#key, value, revision };
    return revision !== undefined;
  }
}
