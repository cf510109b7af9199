import { ReinsError } from '@reins/contracts';
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

  /** Takes a token. @param share the part of the bucket that may be used @returns whether there was one */
  take(name: string, share = 1): boolean {
    if (this.#buckets.size > MAX_BUCKETS) this.#removeFull();
    const bucket = this.#buckets.get(name) ?? { tokens: this.#perMinute, filledAt: this.#now() };
    this.#buckets.set(name, bucket);
    bucket.tokens = this.#filled(bucket);
    bucket.filledAt = this.#now();
    if (bucket.tokens < 1 + this.#perMinute - Math.ceil(this.#perMinute * share)) return false;
    bucket.tokens -= 1;
    return true;
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
    if (this.#keys.take(keyId)) return;
    throw exceeded(
      `the API key has sent more than ${this.#limits.callsPerKey} calls per minute`,
      'authorization',
      'gateway.callsPerKey',
    );
  }

  /**
   * Counts a command of an API key to a request, so that one client does not use up the commands of another.
   * @throws ReinsError `quota_exceeded`
   */
  countCommand(requestId: string, keyId: string, type: CommandType): void {
    if (this.#requests.take(`${requestId} ${keyId}`, type === 'command.signal' ? SHARE_OF_SIGNALS : 1)) return;
    throw exceeded(
      `the API key has sent more than ${this.#limits.commandsPerRequest} commands per minute to request ${requestId}`,
      'id',
      'gateway.commandsPerRequest',
    );
  }
}

/** @param setting the setting that raises the limit */
export const exceeded = (message: string, path: string, setting: string): ReinsError =>
  new ReinsError({ code: 'quota_exceeded', message, path, hint: `Try again later, or raise ${setting}.` });
