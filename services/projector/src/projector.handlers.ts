import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type Bus, type BusMessage, type Consumption, commandDurable, consume } from '@reins/bus';
import { HEADERS, type Problem, problemOf, ReinsError } from '@reins/contracts';
import { BUS, LOG, type Logger, type LogReading, METRICS, OnLog } from '@reins/service-kit';
import { type Projection, ProjectorService } from './projector.service.ts';
import type { RebuildProgress } from './rebuild/rebuild.ts';
import { LOG_STREAM } from './start-position.ts';

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

/** Handles the events of the log, and the commands of the read model. */
@Injectable()
export class ProjectorHandlers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  #commands: Consumption | undefined;
  #isStopping = false;
  #pause: Pause | undefined;
  #reading: LogReading | undefined;
  #projection: Projection | undefined;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
    private readonly projector: ProjectorService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.#commands = await consume(this.bus, {
      stream: 'COMMANDS',
      durable: commandDurable('projection'),
      concurrency: 1,
      handler: (message) => this.#handle(message),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopping = true;
    this.#pause?.done.reject(new Error('the projector is stopping'));
    await this.#commands?.stop();
  }

  /** A log that was rolled back or replaced is projected from another position. */
  @OnLog<ProjectorHandlers>(LOG_STREAM, {
    position: (handlers, reading) => handlers.start(reading),
    gaps: METRICS.projectorGaps,
    onGap: (_handlers, { reason }, reading) => {
      if (reason !== 'trimmed') reading.restart();
    },
  })
  project(message: BusMessage): void | Promise<void> {
    return this.#projection?.take(message);
  }

  /** Runs the work that waits for a pause, then starts a projection at the stored position. */
  async start(reading: LogReading): Promise<Projection> {
    this.#reading = reading;
    const { work, done } = this.#pause ?? {};
    this.#pause = undefined;
    await work?.().then(done?.resolve, done?.reject);
    this.#projection = await this.projector.start(reading);
    return this.#projection;
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
      if (this.#isStopping) throw error;
      this.log.error({ err: error }, 'rebuild failed; the read model is unchanged');
      report({ phase: 'failed', error: problemOf(error) });
    }
  }

  #whilePaused(work: () => Promise<void>): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#pause = { work, done };
    this.#reading?.restart();
    return done.promise;
  }
}
