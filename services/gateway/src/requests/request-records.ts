import { createHash } from 'node:crypto';
import { type Bus, openBucket, type TypedBucket } from '@reins/bus';
import type { RequestRecord } from '@reins/contracts';

/** What the edge itself remembers of a request: written before its command, and never read from Postgres. */
export interface AcceptedRequest extends RequestRecord {
  /** The tree that it starts from. */
  readonly revision: string;
}

/**
 * The bucket `requests`: `key.<hash>` by idempotency key and `run.<request id>` by id, both with the record of the request.
 */
export class RequestRecords {
  readonly #bucket: TypedBucket<AcceptedRequest>;

  private constructor(bucket: TypedBucket<AcceptedRequest>) {
    this.#bucket = bucket;
  }

  static async open(bus: Bus): Promise<RequestRecords> {
    return new RequestRecords(await openBucket<AcceptedRequest>(bus, 'requests'));
  }

  /**
   * Keeps the record, unless the idempotency key has one already: then that one is the answer.
   * @param idempotencyKey with whose it is: the same text of two callers is two keys
   */
  async accept(record: AcceptedRequest, idempotencyKey: string | undefined): Promise<AcceptedRequest> {
    const kept = idempotencyKey === undefined ? record : await this.#claim(keyOf(idempotencyKey), record);
    await this.#bucket.create(`run.${kept.requestId}`, kept);
    return kept;
  }

  async find(requestId: string): Promise<AcceptedRequest | undefined> {
    return (await this.#bucket.get(`run.${requestId}`))?.value;
  }

  async #claim(key: string, record: AcceptedRequest): Promise<AcceptedRequest> {
    if ((await this.#bucket.create(key, record)) !== undefined) return record;
    return (await this.#bucket.get(key))?.value ?? record;
  }
}

const keyOf = (text: string): string => `key.${createHash('sha256').update(text).digest('hex')}`;
