import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  type Bus,
  type BusMessage,
  type Consumption,
  commandDurable,
  consume,
  orderedReader,
  type ReaderGap,
} from '@reins/bus';
import { HEADERS, type Problem, problemOf, ReinsError } from '@reins/contracts';
import { BUS, LOG, type Logger } from '@reins/service-kit';
import { ProjectorService } from './projector.service.ts';
import type { RebuildProgress } from './rebuild/rebuild.ts';
import { LOG_STREAM } from './start-position.ts';

const RETRY_MS = 1_000;

/**
 * Subject of the command that starts a rebuild. Its progress and result are published to the subject in `reins-reply`.
 */
export const REBUILD_SUBJECT = 'command.projection.rebuild';

/** An event about the progress of a rebuild. */
export type RebuildEvent = RebuildProgress | { readonly phase: 'failed'; readonly error: Problem };

/** Work that runs while projecting is paused. */
interface Pause {
  readonly work: () => Promise<void>;
  readonly done: PromiseWithResolvers<void>;
}

/** Consumes the event log in order through its own reader, and the commands of the read model. */
@Injectable()
export class ProjectorConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stopping = new AbortController();
  readonly #stopped = Promise.withResolvers<void>();
  #running: Promise<void> | undefined;
  #commands: Consumption | undefined;
  #pause: Pause | undefined;
  #interrupt: () => void = () => {};

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
    @Inject(ProjectorService) private readonly projector: ProjectorService,
  ) {}

  /** Starts without waiting: the service runs while Postgres is unavailable. */
  async onApplicationBootstrap(): Promise<void> {
    this.#running = this.#run();
    this.#commands = await consume(this.bus, {
      stream: 'COMMANDS',
      durable: commandDurable('projection'),
      concurrency: 1,
      handler: (message) => this.#handle(message),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    this.#stopped.resolve();
    this.#pause?.done.reject(new Error('the projector is stopping'));
    await this.#commands?.stop();
    this.projector.abort();
    await this.#running;
    await this.projector.close();
  }

  async #handle(message: BusMessage): Promise<void> {
    if (message.subject !== REBUILD_SUBJECT)
      throw new ReinsError({ code: 'message_invalid', message: `unknown command: ${message.subject}` });
    const reply = message.header(HEADERS.reply);
    const report = (event: RebuildEvent): void => {
      if (reply) this.bus.nc.publish(reply, JSON.stringify(event));
    };
    try {
      await this.projector.rebuild((work) => this.#whilePaused(work), report);
    } catch (error) {
      if (this.#stopping.signal.aborted) throw error;
      this.log.error({ err: error }, 'rebuild failed; the read model is unchanged');
      report({ phase: 'failed', error: problemOf(error) });
    }
  }

  #whilePaused(work: () => Promise<void>): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#pause = { work, done };
    this.#interrupt();
    return done.promise;
  }

  /** Runs the work that waits for a pause. */
  async #runPausedWork(): Promise<void> {
    const { work, done } = this.#pause ?? {};
    this.#pause = undefined;
    await work?.().then(done?.resolve, done?.reject);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#runPausedWork();
        await this.#readFromPosition();
      } catch (error) {
        if (signal.aborted) return;
        this.log.error({ err: error }, 'projecting failed; restarting from the stored position');
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** Reads until the service stops, the reader ends, or the event log turns out to be replaced. */
  async #readFromPosition(): Promise<void> {
    const projection = await this.projector.start();
    const changed = Promise.withResolvers<void>();
    let valid = true;
    this.#interrupt = () => {
      valid = false;
      changed.resolve();
    };
    if (this.#pause) return;
    const reader = await orderedReader(this.bus, {
      stream: LOG_STREAM,
      from: projection.start,
      onMessage: (message) => (valid ? projection.take(message) : undefined),
      onGap: ({ reason, expectedSeq, nextSeq }: ReaderGap) => {
        this.projector.gap(reason, expectedSeq, nextSeq);
        if (reason === 'trimmed') return;
        valid = false;
        changed.resolve();
      },
    });
    try {
      await Promise.race([reader.closed, changed.promise, projection.failed, this.#stopped.promise]);
    } finally {
      await reader.stop();
    }
    await projection.settled();
  }
}
