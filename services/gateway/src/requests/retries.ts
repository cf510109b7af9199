import type { Bus } from '@reins/bus';
import { ReinsError, type Stage } from '@reins/contracts';
import { type BusJournals, blobValues, openBusJournals } from '@reins/journal/bus';
import type { Settings } from '@reins/service-kit';
import type { Accepted, Call, GatewayService } from '../gateway.service.ts';
import { retrySubmission } from './retry-submission.ts';

/** Retries ended requests. What they were submitted with is in their journals. */
export class Retries {
  readonly #journals: BusJournals;
  readonly #gateway: GatewayService;

  private constructor(journals: BusJournals, gateway: GatewayService) {
    this.#journals = journals;
    this.#gateway = gateway;
  }

  static async open(bus: Bus, { nats }: Settings, gateway: GatewayService): Promise<Retries> {
    return new Retries(await openBusJournals(bus, nats), gateway);
  }

  /**
   * Submits an ended request again, as a new request: completely, or from a stage on.
   * @throws ReinsError `request_not_found`, `run_expired`, `request_not_ended`, `request_invalid` (the stage did not run, or the request
   * is a child run), `journal_corrupt`; those of `GatewayService.submit`
   */
  async retry(requestId: string, from: Stage | undefined, call: Call): Promise<Accepted> {
    const record = await this.#gateway.find(requestId);
    if (!(await this.#gateway.isEnded(record))) throw notEnded(requestId);
    if (record.revision === '') throw isChild(requestId);
    const { entries } = await this.#journals.load({ workspaceId: record.workspaceId, runId: requestId });
    const values = blobValues(this.#journals.blobs);
    return this.#gateway.submit(await retrySubmission({ record, entries }, values, from), call);
  }
}

const notEnded = (requestId: string): ReinsError =>
  new ReinsError({
    code: 'request_not_ended',
    message: `request ${requestId} has not ended`,
    path: 'id',
    hint: 'Wait until it ends, or cancel it.',
  });

const isChild = (requestId: string): ReinsError =>
  new ReinsError({
    code: 'request_invalid',
    message: `request ${requestId} is a child run and cannot be retried alone`,
    path: 'id',
    hint: 'Retry its root request.',
  });
