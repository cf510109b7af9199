import type { Blobs, EventPublisher, TypedBucket } from '@reins/bus';
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
import { LRUCache } from 'lru-cache';
import { RunNotStarted } from '../run/lifecycle/run-errors.ts';
import type { SessionKeeper, SessionMember, SessionTurnResult } from '../run/run-ports.ts';
import { EMPTY_SESSION, enter, hasToWait, leave, release, startState, turnOf } from './session-record.ts';

export interface SessionsOptions {
  readonly blobs: Pick<Blobs, 'put' | 'get'>;
  readonly events: Pick<EventPublisher, 'publish'>;
  readonly partitions: number;
}

/** The KV bucket of session records. */
export type SessionBucket = Pick<TypedBucket<SessionRecord>, 'get' | 'create' | 'update'>;

interface Written {
  readonly value: SessionRecord;
  readonly revision: number;
}

/** Number of sessions whose last write is cached. */
const CACHE_SIZE = 1_000;

/** Sessions in a KV bucket, changed by compare-and-set, because requests of one session may be in several partitions. */
export class SessionsRepository implements SessionKeeper {
  readonly #bucket: SessionBucket;
  readonly #options: SessionsOptions;
  readonly #written = new LRUCache<string, Written>({ max: CACHE_SIZE });

  constructor(bucket: SessionBucket, options: SessionsOptions) {
    this.#bucket = bucket;
    this.#options = options;
  }

  async enter(command: CommandRunSubmit): Promise<SessionTurnResult> {
    const { requestId } = command;
    let taken: SessionTurnResult = { status: 'full' };
    await this.#change(keyOf(command), async (record) => {
      const waits = hasToWait(record, requestId);
      const entered = enter(record, { requestId, ...(waits && { submitRef: await this.#storeCommand(command) }) });
      taken =
        entered.status === 'running'
          ? { status: 'running', session: startState(entered.record.state) }
          : { status: entered.status };
      return 'record' in entered ? entered.record : record;
    });
    return taken;
  }

  async waiting(member: SessionMember): Promise<CommandRunSubmit | undefined> {
    const turn = turnOf((await this.#bucket.get(keyOf(member)))?.value ?? EMPTY_SESSION, member.requestId);
    if (!turn) return undefined;
    const { submitRef } = turn;
    if (submitRef) return this.#loadCommand(submitRef);
    throw new RunNotStarted('the request is about to start');
  }

  async leave(state: RunState): Promise<void> {
    const { workspaceId } = state.run;
    const key = keyOf({ workspaceId, sessionId: state.sessionId });
    const { running } = await this.#change(key, async (record) => leave(record, state));
    // Repeated after a crash of the owner that gave the turn. A run that has started ignores the repeat.
    if (running?.submitRef) await this.#start(running, running.submitRef);
  }

  /** Frees the place of a lost request, and starts the next one. Idempotent. */
  async release(member: SessionMember): Promise<void> {
    const { running } = await this.#change(keyOf(member), async (record) => release(record, member.requestId));
    if (running?.submitRef) await this.#start(running, running.submitRef);
  }

  /**
   * Starts the running request again, if its command is stored with its place. Idempotent. Its command may have come
   * before, when the session had lost its place, so this one has an id of its own.
   */
  async restart(member: SessionMember): Promise<void> {
    const found = await this.#bucket.get(keyOf(member));
    const running = found?.value.running;
    if (running?.requestId !== member.requestId || !running.submitRef) return;
    await this.#start(running, running.submitRef, `.${found?.revision}`);
  }

  /** Puts the stored command into the inbox of the run whose turn it is. Idempotent. */
  async #start({ requestId }: SessionTurn, ref: BlobRef, suffix = ''): Promise<void> {
    const { events, partitions } = this.#options;
    const command = await this.#loadCommand(ref);
    const { type, workspaceId, submittedAt } = command;
    const subject = inboxSubject({ type, workspaceId, runId: requestId }, partitions);
    await events.publish({ id: `${requestId}.turn${suffix}`, subject, body: command, time: submittedAt });
  }

  #storeCommand(command: CommandRunSubmit): Promise<BlobRef> {
    return this.#options.blobs.put(new TextEncoder().encode(JSON.stringify(command)));
  }

  async #loadCommand(ref: BlobRef): Promise<CommandRunSubmit> {
    const event = parseEvent(await this.#options.blobs.get(ref));
    if (event.type === 'command.run.submit') return event;
    throw new ReinsError({
      code: 'message_invalid',
      message: 'the stored command of a queued request is not a command.run.submit',
      path: ref.sha256,
    });
  }

  /**
   * Changes a record by compare-and-set. The first attempt uses the last write of this process, or an empty session, and
   * saves a read: it is nearly always current, and the write is refused otherwise. A result without a write needs a read.
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
        this.#written.set(key, { value: after, revision: stored });
        return after;
      }
      this.#written.delete(key);
    }
  }

  #store(key: string, record: SessionRecord, revision: number | undefined): Promise<number | undefined> {
    return revision === undefined ? this.#bucket.create(key, record) : this.#bucket.update(key, record, revision);
  }
}

/** Ids are subject tokens without dots, so the key is valid and unambiguous. */
const keyOf = ({ workspaceId, sessionId }: Omit<SessionMember, 'requestId'>): string => `${workspaceId}.${sessionId}`;
