import { createHash } from 'node:crypto';
import { type Bus, openBucket, type TypedBucket } from '@reins/bus';
import type { RequestRecord } from '@reins/contracts';

/** What the edge itself remembers of a request: written before its command, and never read from Postgres. */
export interface AcceptedRequest extends RequestRecord {
  /** The tree that it starts from. */
  readonly revision: string;
}

const REMEMBERED = 1_000;

/** How long an idempotency key is known. */
const KEY_TTL_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * The bucket `requests`: `key.<hash>` by idempotency key and `run.<request id>` by id, both with the record of the request.
 */
export class RequestRecords {
  readonly #bucket: TypedBucket<AcceptedRequest>;
  /** Those kept last: whoever submits a request asks for it next, and a record never changes. */
  readonly #recent = new Map<string, AcceptedRequest>();

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
    if (idempotencyKey === undefined) return record;
    const key = keyOf(idempotencyKey);
    if ((await this.#bucket.create(key, record, KEY_TTL_MS)) !== undefined) return record;
    return (await this.#bucket.get(key))?.value ?? record;
  }

  async findByKey(idempotencyKey: string): Promise<AcceptedRequest | undefined> {
    return (await this.#bucket.get(keyOf(idempotencyKey)))?.value;
  }

  /** Makes it known by its request id. */
  async keep(record: AcceptedRequest): Promise<void> {
    await this.#bucket.create(`run.${record.requestId}`, record);
    this.#recent.set(record.requestId, record);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > REMEMBERED && oldest !== undefined) this.#recent.delete(oldest);
  }

  async find(requestId: string): Promise<AcceptedRequest | undefined> {
    return this.#recent.get(requestId) ?? (await this.#bucket.get(`run.${requestId}`))?.value;
  }
}

const keyOf = (text: string): string => `key.${createHash('sha256').update(text).digest('hex')}`;
