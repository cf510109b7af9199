import { type Bus, openBucket, type TypedBucket } from '@reins/bus';
import { assertNotExpired, ReinsError, type SessionRecord } from '@reins/contracts';
import { RequestRecords } from './request-records.ts';
import type { SubmitRequest } from './requests.dto.ts';

/** Knows which requests and sessions have expired. */
export class Expiry {
  readonly #records: RequestRecords;
  readonly #sessions: Pick<TypedBucket<SessionRecord>, 'get'>;

  private constructor(records: RequestRecords, sessions: TypedBucket<SessionRecord>) {
    this.#records = records;
    this.#sessions = sessions;
  }

  static async open(bus: Bus, records: RequestRecords): Promise<Expiry> {
    return new Expiry(records, await openBucket<SessionRecord>(bus, 'sessions'));
  }

  /**
   * Checks what a new request continues: its session, the request that it retries, and the one that it forks.
   * @throws ReinsError `run_expired`, `session_expired`
   */
  async assertCanContinue({ workspace, sessionId, retryOf, fork }: SubmitRequest): Promise<void> {
    await Promise.all([
      sessionId !== undefined && this.#assertSession(`${workspace.id}.${sessionId}`),
      retryOf !== undefined && this.#assertRun(retryOf, 'retryOf'),
      fork && this.#assertRun(fork.requestId, 'fork.requestId'),
    ]);
  }

  async #assertSession(key: string): Promise<void> {
    const expiredAt = (await this.#sessions.get(key))?.value.expiredAt;
    if (expiredAt === undefined) return;
    throw new ReinsError({
      code: 'session_expired',
      message: `the session expired with its last run at ${expiredAt}`,
      path: 'sessionId',
      hint: 'Submit the request without a session, or with a new one.',
    });
  }

  async #assertRun(requestId: string, path: string): Promise<void> {
    const record = await this.#records.find(requestId);
    if (record) assertNotExpired(record, path);
  }
}
