import { timingSafeEqual } from 'node:crypto';
import { type Bus, openBucket, type TypedBucket, type Watch } from '@reins/bus';
import { type ApiKeyRecord, isToken } from '@reins/contracts';
import { hashSecret, parseApiKey } from '@reins/service-kit';
import { TokenBuckets } from '../quotas.ts';

/** The owner of an API key. */
export interface Caller {
  readonly keyId: string;
  readonly name: string;
}

/** The API keys of the installation, stored as hashes in the bucket `keys` and cached through a watch. */
export class ApiKeys {
  readonly #bucket: TypedBucket<ApiKeyRecord>;
  readonly #known = new Map<string, ApiKeyRecord>();
  readonly #lookups: TokenBuckets;
  #watch: Watch | undefined;

  private constructor(bucket: TypedBucket<ApiKeyRecord>, now: () => number) {
    this.#bucket = bucket;
    this.#lookups = new TokenBuckets(LOOKUPS_PER_MINUTE, now);
  }

  /** @param now a monotonic clock in milliseconds */
  static async open(bus: Bus, now: () => number = () => performance.now()): Promise<ApiKeys> {
    const keys = new ApiKeys(await openBucket<ApiKeyRecord>(bus, 'keys'), now);
    keys.#watch = await keys.#bucket.watch({}, (id, entry) => {
      if (entry) keys.#known.set(id, entry.value);
      else keys.#known.delete(id);
    });
    await keys.#watch.current;
    return keys;
  }

  /** Verifies a key in constant time; undefined if it is malformed, unknown or revoked. */
  async verify(key: string): Promise<Caller | undefined> {
    const { id = '', secret = '' } = parseApiKey(key) ?? {};
    if (!isToken(id)) return undefined;
    const record = this.#known.get(id) ?? (await this.#newKey(id));
    const matches = sameHash(hashSecret(secret), record?.hash ?? '');
    return matches && record && !record.revokedAt ? { keyId: record.id, name: record.name } : undefined;
  }

  /** A key that the watch has not delivered yet. Callers without a key must not cause a read of the bus each. */
  async #newKey(id: string): Promise<ApiKeyRecord | undefined> {
    return this.#lookups.take('unknown') === 0 ? (await this.#bucket.get(id))?.value : undefined;
  }

  close(): void {
    this.#watch?.stop();
  }
}

/** Beyond this, a new key works once the watch has delivered it, after milliseconds. */
const LOOKUPS_PER_MINUTE = 300;

const NO_HASH = Buffer.alloc(32);

function sameHash(given: string, stored: string): boolean {
  const expected = Buffer.from(stored, 'hex');
  return timingSafeEqual(Buffer.from(given, 'hex'), expected.length === NO_HASH.length ? expected : NO_HASH);
}
