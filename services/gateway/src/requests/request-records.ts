import { createHash } from 'node:crypto';
import { type Bus, openBucket, readSubject, type TypedBucket } from '@reins/bus';
import { parseJson, type RequestRecord } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import { LRUCache } from 'lru-cache';
import { LateRecords } from './late-records.ts';

/** The gateway's own record of a request. Under its id it is stored after the command was published. */
export interface AcceptedRequest extends RequestRecord {
  /** The tree that it starts from. */
  readonly revision: string;
  /** The request that it retries. */
  readonly retryOf?: string;
}

const MAX_CACHED = 1_000;
/** A record changes when its request expires. */
const CACHED_MS = 60_000;
/** How far back `newest` looks: messages of the bucket, of which a request has two or three, and time. */
const NEWEST_MESSAGES = 1_500;
const NEWEST_MS = 7 * 24 * 60 * 60 * 1000;
const STREAM = 'KV_requests';

/** How long idempotency keys are kept, at most. */
const MAX_KEY_TTL_MS = 7 * 24 * 60 * 60 * 1000;

/** Which question the answer of a call is for. */
interface AnsweredQuestion {
  readonly questionNumber: number;
}

/**
 * The bucket `requests`: `key.<hash>` by idempotency key and `run.<request id>` by id, both with the record of the request;
 * `question.<hash>` by the idempotency key of an answer.
 */
export class RequestRecords {
  readonly #bucket: TypedBucket<AcceptedRequest>;
  readonly #questions: TypedBucket<AnsweredQuestion>;
  /**
   * Recent records: the submitter of a request usually reads it next. A restore of NATS may remove a record. That breaks
   * the connection, so they count for one connection only.
   */
  readonly #recent = new LRUCache<string, AcceptedRequest>({ max: MAX_CACHED, ttl: CACHED_MS });
  #connection: unknown;

  readonly #bus: Bus;
  readonly #late: LateRecords<AcceptedRequest>;
  readonly #keyTtlMs: number;

  private constructor(
    bus: Bus,
    bucket: TypedBucket<AcceptedRequest>,
    questions: TypedBucket<AnsweredQuestion>,
    log: Logger,
    runsMs: number,
  ) {
    this.#bus = bus;
    this.#bucket = bucket;
    this.#questions = questions;
    this.#keyTtlMs = Math.min(MAX_KEY_TTL_MS, runsMs);
    this.#late = new LateRecords({ store: (record: AcceptedRequest) => this.#store(record), log });
  }

  /** @param runsMs how long ended runs are kept: no idempotency key outlives its run, because it would run again */
  static async open(bus: Bus, log: Logger, runsMs: number): Promise<RequestRecords> {
    const questions = await openBucket<AnsweredQuestion>(bus, 'requests');
    return new RequestRecords(bus, await openBucket<AcceptedRequest>(bus, 'requests'), questions, log, runsMs);
  }

  /**
   * Stores the record under its idempotency key. If the key is known, returns the existing record.
   * @param idempotencyKey prefixed with the id of the caller, so that callers do not share keys
   */
  async accept(record: AcceptedRequest, idempotencyKey: string | undefined): Promise<AcceptedRequest> {
    if (idempotencyKey === undefined) return record;
    const key = keyOf(idempotencyKey);
    if ((await this.#bucket.create(key, record, this.#keyTtlMs)) !== undefined) return record;
    return (await this.#bucket.get(key))?.value ?? record;
  }

  async findByKey(idempotencyKey: string): Promise<AcceptedRequest | undefined> {
    return (await this.#bucket.get(keyOf(idempotencyKey)))?.value;
  }

  /**
   * Stores the record of a request whose command is stored, under its request id. If this fails, tries again in the
   * background: the request runs with or without a record.
   * @param isCurrent whether the connection has not changed since the command was published
   * @returns false when the connection has changed: a restore may have removed the command
   */
  async keep(record: AcceptedRequest, isCurrent: () => boolean): Promise<boolean> {
    try {
      await this.#store(record);
      if (!isCurrent()) return false;
    } catch (error) {
      if (!isCurrent()) return false;
      void this.#late.add(record, error, isCurrent);
    }
    this.#recentRecords().set(record.requestId, record);
    return true;
  }

  #recentRecords(): LRUCache<string, AcceptedRequest> {
    const { info } = this.#bus.nc;
    if (info !== this.#connection) this.#recent.clear();
    this.#connection = info;
    return this.#recent;
  }

  #store(record: AcceptedRequest): Promise<unknown> {
    return this.#bucket.create(`run.${record.requestId}`, record);
  }

  /** Ends the attempts in the background. */
  close(): void {
    this.#late.close();
  }

  /**
   * Stores which question an answer is for, unless its key is known.
   * @param commandId the id of the command, which contains the idempotency key
   */
  async keepQuestion(commandId: string, questionNumber: number): Promise<void> {
    await this.#questions.create(questionKey(commandId), { questionNumber }, this.#keyTtlMs);
  }

  /** The question that an earlier call with the same key was for; undefined when there was none. */
  async questionOf(commandId: string): Promise<number | undefined> {
    return (await this.#questions.get(questionKey(commandId)))?.value.questionNumber;
  }

  /** The records of the newest accepted requests, newest first. */
  async newest(): Promise<AcceptedRequest[]> {
    const { state } = await this.#bus.jsm.streams.info(STREAM);
    const fromSeq = Math.max(1, state.last_seq - NEWEST_MESSAGES);
    const records: AcceptedRequest[] = [];
    for await (const { data, time } of readSubject(this.#bus, STREAM, '$KV.requests.run.*', { fromSeq })) {
      const isRecent = Date.now() - time.getTime() < NEWEST_MS;
      const record = isRecent && data.length > 0 && (parseJson(data) as unknown as AcceptedRequest);
      if (record && record.expiredAt === undefined) records.push(record);
    }
    return records.reverse();
  }

  /** Forgets the recent records. Call it after missed events: the bucket may have been rolled back, too. */
  forgetRecent(): void {
    this.#recent.clear();
  }

  async find(requestId: string): Promise<AcceptedRequest | undefined> {
    return this.#recentRecords().get(requestId) ?? (await this.#bucket.get(`run.${requestId}`))?.value;
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const keyOf = (text: string): string => `key.${sha256(text)}`;
const questionKey = (commandId: string): string => `question.${sha256(commandId)}`;
