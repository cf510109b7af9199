import { createHash, timingSafeEqual } from 'node:crypto';
import { type Bus, openBucket, type TypedBucket, type Watch } from '@reins/bus';
import { type ApiKeyRecord, isToken } from '@reins/contracts';

/** Who calls. */
export interface Caller {
  readonly keyId: string;
  readonly name: string;
}

/** `rk_<id>_<secret>` */
const KEY = /^rk_([0-9a-f]+)_([0-9a-f]+)$/;

/** The API keys of the installation: kept hashed in the bucket `keys`, known here through a watch. */
export class ApiKeys {
  readonly #bucket: TypedBucket<ApiKeyRecord>;
  readonly #known = new Map<string, ApiKeyRecord>();
  #watch: Watch | undefined;

  private constructor(bucket: TypedBucket<ApiKeyRecord>) {
    this.#bucket = bucket;
  }

  static async open(bus: Bus): Promise<ApiKeys> {
    const keys = new ApiKeys(await openBucket<ApiKeyRecord>(bus, 'keys'));
    keys.#watch = await keys.#bucket.watch({}, (id, entry) => {
      if (entry) keys.#known.set(id, entry.value);
      else keys.#known.delete(id);
    });
    await keys.#watch.current;
    return keys;
  }

  /** Undefined when the key is malformed, unknown or revoked. Takes as long for a wrong secret as for the right one. */
  async verify(key: string): Promise<Caller | undefined> {
    const [, id = '', secret = ''] = KEY.exec(key) ?? [];
    if (!isToken(id)) return undefined;
    // A key that was made a moment ago may not have come through the watch yet.
    const record = this.#known.get(id) ?? (await this.#bucket.get(id))?.value;
    const matches = sameHash(createHash('sha256').update(secret).digest(), record?.hash ?? '');
    return matches && record && !record.revokedAt ? { keyId: record.id, name: record.name } : undefined;
  }

  close(): void {
    this.#watch?.stop();
  }
}

const NO_HASH = Buffer.alloc(32);

function sameHash(given: Buffer, stored: string): boolean {
  const expected = Buffer.from(stored, 'hex');
  return timingSafeEqual(given, expected.length === given.length ? expected : NO_HASH);
}
