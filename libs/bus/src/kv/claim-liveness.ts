import { setTimeout as sleep } from 'node:timers/promises';
import type { TypedBucket } from './bucket.ts';
import { attemptKey, type Claim, type Heartbeat, heartbeatKey } from './claim.ts';
import type { Entry } from './entry.ts';
import { FIRST_HEARTBEAT_MS, type HostHeartbeat } from './host-heartbeat.ts';
import { PresenceRecords } from './presence-records.ts';

/**
 * The first heartbeat of a process follows its first claim. A claim without a heartbeat is checked again after this
 * time.
 */
const RECHECK_MS = 3 * FIRST_HEARTBEAT_MS;
/** A heartbeat that was not renewed for this many TTLs is stale, even if the server has not removed it. */
const STALE_AFTER_TTLS = 2;
/** Maximum number of remembered heartbeats of other hosts. */
const REMEMBERED = 10_000;

/** Decides whether the process that claimed an attempt still works on it. */
export class ClaimLiveness {
  readonly #heartbeats: TypedBucket<Heartbeat>;
  readonly #own: HostHeartbeat;
  readonly #others: PresenceRecords<string>;

  constructor(heartbeats: TypedBucket<Heartbeat>, own: HostHeartbeat, ttlMs: number) {
    this.#heartbeats = heartbeats;
    this.#own = own;
    this.#others = new PresenceRecords(STALE_AFTER_TTLS * ttlMs);
  }

  /** Whether a live process works on this attempt. Rejects when the bus is unavailable. */
  async isLive({ key: effectId, value: claim, revision }: Entry<Claim>): Promise<boolean> {
    const attempt = attemptKey(effectId, claim.attempt);
    // This process knows what it holds. A restore of NATS may bring back the claim of an attempt that has ended.
    if (claim.incarnation === this.#own.incarnation) return this.#own.holds(attempt);
    const key = heartbeatKey(effectId, claim);
    const check = async (): Promise<boolean> => {
      const beat = await this.#heartbeats.get(key);
      return this.#isFresh(key, beat) && mayHold(beat, attempt, revision);
    };
    if (await check()) return true;
    await sleep(RECHECK_MS);
    return check();
  }

  #isFresh(key: string, beat: Entry<Heartbeat> | undefined): beat is Entry<Heartbeat> {
    if (beat === undefined) {
      this.#others.forget(key);
      return false;
    }
    this.#others.observe(key, beat.revision);
    if (this.#others.size > REMEMBERED) this.#others.forget([...this.#others.keys][0] as string);
    return !this.#others.isStale(key);
  }
}

/** Whether a heartbeat lists the attempt, or is older than its claim. Both revisions are sequences of one stream. */
const mayHold = ({ value, revision }: Entry<Heartbeat>, attempt: string, claimRevision: number): boolean =>
  value.holds === undefined || value.holds.includes(attempt) || revision < claimRevision;
