import type { Bus, OrderedPublisher, TypedBucket } from '@reins/bus';
import { type CommandRunSubmit, inboxSubject, type SessionRecord } from '@reins/contracts';
import type { RunState } from '@reins/journal';
import type { SessionKeeper, SessionTurnTaken } from '../run/run-ports.ts';
import { EMPTY_SESSION, enter, leave, leaveQueue } from './session-record.ts';

/** Sessions in the KV bucket, changed by compare-and-set: two partitions may have requests of one session. */
export class SessionsRepository implements SessionKeeper {
  readonly #bucket: TypedBucket<SessionRecord>;
  readonly #publisher: OrderedPublisher;
  readonly #partitions: number;
  readonly #source: string;

  constructor(
    bucket: TypedBucket<SessionRecord>,
    publisher: OrderedPublisher,
    options: { readonly bus: Bus; readonly partitions: number },
  ) {
    this.#bucket = bucket;
    this.#publisher = publisher;
    this.#partitions = options.partitions;
    this.#source = options.bus.name;
  }

  async enter(command: CommandRunSubmit): Promise<SessionTurnTaken> {
    let entered = enter(EMPTY_SESSION, command);
    await this.#change(keyOf(command), (record) => {
      entered = enter(record, command);
      return entered.now === 'full' ? record : entered.record;
    });
    return entered.now === 'running' ? { now: 'running', session: entered.record.state } : { now: entered.now };
  }

  async leaveQueue({
    workspaceId,
    sessionId,
    requestId,
  }: {
    workspaceId: string;
    sessionId: string;
    requestId: string;
  }): Promise<CommandRunSubmit | undefined> {
    let found: CommandRunSubmit | undefined;
    await this.#change(keyOf({ workspaceId, sessionId }), (record) => {
      const turns = record.running ? [record.running, ...record.queued] : record.queued;
      found = turns.find((turn) => turn.requestId === requestId)?.submit;
      return leaveQueue(record, requestId);
    });
    return found;
  }

  async leave(state: RunState): Promise<void> {
    const key = keyOf({ workspaceId: state.run.workspaceId, sessionId: state.sessionId });
    const record = await this.#change(key, (current) => leave(current, state) ?? current);
    const isNext = record.state.lastRequestId === state.run.runId && record.running;
    if (isNext && record.running) await this.#start(record.running.submit);
  }

  /** The command again, into the inbox of the run whose turn it is. A repeat finds the run there already. */
  async #start(submit: CommandRunSubmit): Promise<void> {
    const { requestId, workspaceId } = submit;
    const subject = inboxSubject({ type: submit.type, workspaceId, runId: requestId }, this.#partitions);
    const headers = { id: `${requestId}.turn`, type: submit.type, source: this.#source, time: submit.submittedAt };
    await this.#publisher.publishAll([{ subject, data: new TextEncoder().encode(JSON.stringify(submit)), headers }]);
  }

  async #change(key: string, change: (record: SessionRecord) => SessionRecord): Promise<SessionRecord> {
    for (;;) {
      const current = await this.#bucket.get(key);
      const before = current?.value ?? EMPTY_SESSION;
      const after = change(before);
      if (after === before) return before;
      const stored = current
        ? await this.#bucket.update(key, after, current.revision)
        : await this.#bucket.create(key, after);
      if (stored !== undefined) return after;
    }
  }
}

/** Ids are subject tokens without dots, so the key is one of the bucket's and unambiguous. */
const keyOf = ({ workspaceId, sessionId }: { readonly workspaceId: string; readonly sessionId: string }): string =>
  `${workspaceId}.${sessionId}`;
