import { type Problem, ReinsError } from '@reins/contracts';
import type { CommandType } from './requests/commands.ts';

export interface QuotaLimits {
  /** Submissions and commands of one API key per minute. */
  readonly callsPerKey: number;
  /** Commands of one API key to one request per minute. */
  readonly commandsPerRequest: number;
}

/** Signals may take this share of what a request accepts, so that answers and decisions still have room. */
export const SHARE_OF_SIGNALS = 0.9;

const MINUTE_MS = 60_000;
/** Buckets are cleaned up when there are more of them. */
const MAX_BUCKETS = 10_000;

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Token buckets by name: each allows `perMinute` calls at once, and refills within a minute. */
export class TokenBuckets {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /**
   * Takes a token.
   * @param share the part of the bucket that may be used
   * @returns the time in milliseconds until there is one; 0 if one was taken
   */
  take(name: string, share = 1): number {
    if (this.#buckets.size > MAX_BUCKETS) this.#removeFull();
    const bucket = this.#buckets.get(name) ?? { tokens: this.#perMinute, filledAt: this.#now() };
    this.#buckets.set(name, bucket);
    bucket.tokens = this.#filled(bucket);
    bucket.filledAt = this.#now();
    const missing = 1 + this.#perMinute - Math.ceil(this.#perMinute * share) - bucket.tokens;
    if (missing > 0) return (missing * MINUTE_MS) / this.#perMinute;
    bucket.tokens -= 1;
    return 0;
  }

  #filled({ filledAt, tokens }: Bucket): number {
    return Math.min(this.#perMinute, tokens + ((this.#now() - filledAt) * this.#perMinute) / MINUTE_MS);
  }

  #removeFull(): void {
    for (const [name, bucket] of this.#buckets) if (this.#filled(bucket) >= this.#perMinute) this.#buckets.delete(name);
  }
}

/** Limits how many calls one API key sends, and how many commands to one request. Each gateway process counts alone. */
export class Quotas {
  readonly #limits: QuotaLimits;
  readonly #keys: TokenBuckets;
  readonly #requests: TokenBuckets;

  /** @param now a monotonic clock in milliseconds */
  constructor(limits: QuotaLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#keys = new TokenBuckets(limits.callsPerKey, now);
    this.#requests = new TokenBuckets(limits.commandsPerRequest, now);
  }

  /** Counts a submission or a command of an API key. @throws ReinsError `quota_exceeded` */
  countCall(keyId: string): void {
    const waitMs = this.#keys.take(keyId);
    if (waitMs === 0) return;
    const message = `the API key has sent more than ${this.#limits.callsPerKey} calls per minute`;
    throw exceeded({ message, path: 'authorization', setting: 'gateway.callsPerKey' }, waitMs);
  }

  /**
   * Counts a command of an API key to a request, so that one client does not use up the commands of another.
   * @throws ReinsError `quota_exceeded`
   */
  countCommand(requestId: string, keyId: string, type: CommandType): void {
    const waitMs = this.#requests.take(`${requestId} ${keyId}`, type === 'command.signal' ? SHARE_OF_SIGNALS : 1);
    if (waitMs === 0) return;
    const limit = this.#limits.commandsPerRequest;
    const message = `the API key has sent more than ${limit} commands per minute to request ${requestId}`;
    throw exceeded({ message, path: 'id', setting: 'gateway.commandsPerRequest' }, waitMs);
  }
}

/** A limit was reached. */
export class QuotaExceeded extends ReinsError {
  /** The time until another call can be accepted; undefined if it is not known. */
  readonly retryAfterMs: number | undefined;

  constructor(problem: Omit<Problem, 'code'>, retryAfterMs?: number) {
    super({ code: 'quota_exceeded', ...problem });
    this.retryAfterMs = retryAfterMs;
  }
}

interface Exceeded {
  readonly message: string;
  readonly path: string;
  /** The setting that raises the limit. */
  readonly setting: string;
}

export const exceeded = ({ message, path, setting }: Exceeded, retryAfterMs?: number): QuotaExceeded =>
  new QuotaExceeded({ message, path, hint: `Try again later, or raise ${setting}.` }, retryAfterMs);
