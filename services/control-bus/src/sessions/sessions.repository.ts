import { type Blobs, externalise, type OrderedPublisher, type TypedBucket } from '@reins/bus';
import {
  type BlobRef,
  type CommandRunSubmit,
  inboxSubject,
  parseEvent,
  ReinsError,
  type SessionRecord,
  type SessionTurn,
} from '@reins/contracts';
import type { RunState } from '@reins/journal';
import { RunNotStarted } from '../run/run-not-started.ts';
import type { SessionKeeper, SessionMember, SessionTurnResult } from '../run/run-ports.ts';
import { EMPTY_SESSION, enter, hasToWait, leave, turnOf } from './session-record.ts';

export interface SessionsOptions {
  readonly source: string;
  readonly blobs: Pick<Blobs, 'put' | 'get'>;
  readonly publisher: Pick<OrderedPublisher, 'publishAll'>;
  readonly partitions: number;
}

/** Where the records of sessions are. */
export type SessionBucket = Pick<TypedBucket<SessionRecord>, 'get' | 'create' | 'update'>;

interface Written {
  readonly value: SessionRecord;
  readonly revision: number;
}

/** Sessions whose last write is kept in memory. */
const REMEMBERED = 1_000;

/** Sessions in the KV bucket, changed by compare-and-set: two partitions may have requests of one session. */
export class SessionsRepository implements SessionKeeper {
  readonly #bucket: SessionBucket;
  readonly #options: SessionsOptions;
  readonly #written = new Map<string, Written>();

  constructor(bucket: SessionBucket, options: SessionsOptions) {
    this.#bucket = bucket;
    this.#options = options;
  }

  async enter(command: CommandRunSubmit): Promise<SessionTurnResult> {
    const { requestId } = command;
    let taken: SessionTurnResult = { status: 'full' };
    await this.#change(keyOf(command), async (record) => {
      const waits = hasToWait(record, requestId);
      const entered = enter(record, { requestId, ...(waits && { submitRef: await this.#keep(command) }) });
      taken =
        entered.status === 'running'
          ? { status: 'running', session: entered.record.state }
          : { status: entered.status };
      return entered.status === 'full' ? record : entered.record;
    });
    return taken;
  }

  async waiting(member: SessionMember): Promise<CommandRunSubmit | undefined> {
    const turn = turnOf((await this.#bucket.get(keyOf(member)))?.value ?? EMPTY_SESSION, member.requestId);
    if (!turn) return undefined;
    const { submitRef } = turn;
    if (submitRef) return this.#kept(submitRef);
    throw new RunNotStarted('the request is about to begin');
  }

  async leave(state: RunState): Promise<void> {
    const { workspaceId } = state.run;
    const key = keyOf({ workspaceId, sessionId: state.sessionId });
    const { running } = await this.#change(key, async (record) => leave(record, state));
    // Again, too, when the turn was given by an owner that died before it told so; one that has begun takes no notice.
    if (running?.submitRef) await this.#start(running, running.submitRef);
  }

  /** The command again, into the inbox of the run whose turn it is. A repeat finds the run there already. */
  async #start({ requestId }: SessionTurn, ref: BlobRef): Promise<void> {
    const { blobs, partitions, publisher, source } = this.#options;
    const { type, workspaceId, submittedAt } = await this.#kept(ref);
    const subject = inboxSubject({ type, workspaceId, runId: requestId }, partitions);
    const headers = { id: `${requestId}.turn`, type, source, time: submittedAt };
    const data = await externalise(blobs, await blobs.get(ref));
    await publisher.publishAll([{ subject, data, headers }]);
  }

  #keep(command: CommandRunSubmit): Promise<BlobRef> {
    return this.#options.blobs.put(new TextEncoder().encode(JSON.stringify(command)));
  }

  async #kept(ref: BlobRef): Promise<CommandRunSubmit> {
    const event = parseEvent(await this.#options.blobs.get(ref));
    if (event.type === 'command.run.submit') return event;
    throw new ReinsError({
      code: 'message_invalid',
      message: 'what was kept for a waiting request is no submit',
      path: ref.sha256,
    });
  }

  /**
   * Begins with what this process last wrote, or with a session that is new: nearly always that is what stands there, and a write that
   * expects it is refused where it is not. What is not written is decided by what was read.
   */
  async #change(key: string, change: (record: SessionRecord) => Promise<SessionRecord>): Promise<SessionRecord> {
    let current = this.#written.get(key);
    for (let read = false; ; read = true) {
      if (read) current = await this.#bucket.get(key);
      const before = current?.value ?? EMPTY_SESSION;
      const after = await change(before);
      if (after === before && read) return before;
      const stored = after === before ? undefined : await this.#store(key, after, current?.revision);
      if (stored !== undefined) {
        this.#remember(key, { value: after, revision: stored });
        return after;
      }
      this.#written.delete(key);
    }
  }

  #store(key: string, record: SessionRecord, revision: number | undefined): Promise<number | undefined> {
    return revision === undefined ? this.#bucket.create(key, record) : this.#bucket.update(key, record, revision);
  }

  /** The oldest is forgotten first. */
  #remember(key: string, written: Written): void {
    this.#written.delete(key);
    this.#written.set(key, written);
    const [oldest] = this.#written.keys();
    if (this.#written.size > REMEMBERED && oldest !== undefined) this.#written.delete(oldest);
  }
}

/** Ids are subject tokens without dots, so the key is one of the bucket's and unambiguous. */
const keyOf = ({ workspaceId, sessionId }: Omit<SessionMember, 'requestId'>): string => `${workspaceId}.${sessionId}`;
