import type { BusMessage, Consumption, Lease, PartitionLeases } from '@reins/bus';
import { consumeInbox } from '@reins/bus';
import { parseEvent, parseInboxSubject, ReinsError, type RunAddress } from '@reins/contracts';
import { Fenced, RunActor } from '../run/run-actor.ts';
import { triggerOf } from '../run/trigger.ts';
import type { PartitionPorts } from './partition-ports.ts';

/** Inbox messages of one partition that are worked on at once; those of one run come one after the other. */
const CONCURRENCY = 256;
/** The longest that a timer of Node can wait. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/**
 * A partition while it is ours: its inbox, and its runs in memory. Whatever moves a run, a message or a timer, goes through
 * the run's lane, one at a time.
 */
export class Partition {
  readonly #ports: PartitionPorts;
  readonly #lease: Lease;
  readonly #actors = new Map<string, RunActor>();
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #alarms = new Map<string, NodeJS.Timeout>();
  #inbox: Consumption | undefined;
  #stopped = false;

  constructor(ports: PartitionPorts, lease: Lease) {
    this.#ports = ports;
    this.#lease = lease;
  }

  /** Takes the inbox over, and brings the runs that have not ended into memory. */
  async start(leases: PartitionLeases): Promise<void> {
    const lease = this.#lease;
    const handler = (message: BusMessage): Promise<void> => this.#handle(message);
    const inbox = await consumeInbox(this.#ports.bus, { leases, lease, concurrency: CONCURRENCY, handler });
    this.#inbox = inbox;
    void inbox.closed.then((reason) => {
      if (!this.#stopped) this.#ports.inboxGone(lease, reason);
    });
    for (const run of await this.#ports.liveRuns(lease.partition)) {
      if (this.#stopped) return;
      await this.#inLane(run, undefined, async () => {}).catch((error) =>
        this.#ports.log.error({ err: error, ...run }, 'a run could not be taken over'),
      );
    }
  }

  get runs(): number {
    return this.#actors.size;
  }

  /** Finishes what runs, then forgets everything. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#inbox?.stop();
    await Promise.allSettled(this.#lanes.values());
    this.#forgetAll();
  }

  /** It is somebody else's already: nothing more is appended. */
  drop(): void {
    this.#stopped = true;
    this.#inbox?.pause();
    void this.#inbox?.stop({ graceMs: 0 });
    this.#forgetAll();
  }

  #forgetAll(): void {
    for (const alarm of this.#alarms.values()) clearTimeout(alarm);
    this.#alarms.clear();
    this.#actors.clear();
  }

  async #handle(message: BusMessage): Promise<void> {
    const address = parseInboxSubject(message.subject);
    if (!address)
      throw new ReinsError({
        code: 'subject_invalid',
        message: `${message.subject} is not an inbox subject`,
        path: message.subject,
      });
    const body = parseEvent(await this.#ports.inline(message.data));
    if (body.requestId !== address.runId || body.workspaceId !== address.workspaceId || body.type !== address.type) {
      throw new ReinsError({
        code: 'message_invalid',
        message: 'the body is about something else than its subject',
        path: message.subject,
      });
    }
    const trigger = triggerOf(message.event.id, body);
    await this.#inLane(address, trigger.id, (actor) => actor.react(trigger));
  }

  /** One thing after the other for each run. The lane itself never rejects, its caller hears of a failure. */
  #inLane(run: RunAddress, cause: string | undefined, task: (actor: RunActor) => Promise<void>): Promise<void> {
    const before = this.#lanes.get(run.runId) ?? Promise.resolve();
    const done = before.then(() => this.#withActor(run, cause, task));
    const lane = done.catch(() => {});
    this.#lanes.set(run.runId, lane);
    void lane.then(() => {
      if (this.#lanes.get(run.runId) === lane) this.#lanes.delete(run.runId);
    });
    return done;
  }

  async #withActor(
    run: RunAddress,
    cause: string | undefined,
    task: (actor: RunActor) => Promise<void>,
  ): Promise<void> {
    if (this.#stopped || !this.#lease.valid) throw new Fenced(run.runId);
    try {
      const actor =
        this.#actors.get(run.runId) ??
        (await RunActor.load(
          this.#ports.runPorts(this.#lease, (due) => this.#setAlarm(run, due)),
          run,
          cause,
        ));
      this.#actors.set(run.runId, actor);
      await task(actor);
      if (actor.ended || actor.state.head.version === 0) this.#forget(run.runId);
    } catch (error) {
      this.#forget(run.runId);
      throw error;
    }
  }

  #forget(runId: string): void {
    this.#actors.delete(runId);
    clearTimeout(this.#alarms.get(runId));
    this.#alarms.delete(runId);
  }

  #setAlarm(run: RunAddress, due: number | undefined): void {
    clearTimeout(this.#alarms.get(run.runId));
    this.#alarms.delete(run.runId);
    if (due === undefined || this.#stopped) return;
    const wait = Math.min(Math.max(due - this.#ports.clock.now().getTime(), 0), MAX_TIMEOUT_MS);
    this.#alarms.set(
      run.runId,
      setTimeout(() => this.#ring(run), wait),
    );
  }

  /** A deadline that could not be acted on is tried again soon: the journal still says that it is due. */
  #ring(run: RunAddress): void {
    this.#inLane(run, undefined, (actor) => actor.wake()).catch((error) => {
      if (error instanceof Fenced) return;
      this.#ports.log.warn({ err: error, runId: run.runId }, 'a deadline could not be acted on yet');
      this.#setAlarm(run, this.#ports.clock.now().getTime() + RETRY_ALARM_MS);
    });
  }
}

const RETRY_ALARM_MS = 1_000;
