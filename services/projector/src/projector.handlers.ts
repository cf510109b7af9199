import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type Bus, orderedReader, type ReaderGap } from '@reins/bus';
import { BUS, LOG, type Logger } from '@reins/service-kit';
import { ProjectorService } from './projector.service.ts';
import { LOG_STREAM } from './start-position.ts';

const AGAIN_MS = 1_000;

/** Consumes the whole log, in order, through a reader of its own. */
@Injectable()
export class ProjectorHandlers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stopping = new AbortController();
  readonly #stopped = Promise.withResolvers<void>();
  #running: Promise<void> | undefined;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
    @Inject(ProjectorService) private readonly projector: ProjectorService,
  ) {}

  /** Starts, and does not wait: the service lives while Postgres is away. */
  onApplicationBootstrap(): void {
    this.#running = this.#run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    this.#stopped.resolve();
    this.projector.abort();
    await this.#running;
    await this.projector.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#readFromCheckpoint();
      } catch (error) {
        if (signal.aborted) return;
        this.log.error({ err: error }, 'projecting failed; starting again from the checkpoint');
        await sleep(AGAIN_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** Reads until the service stops, the reader ends, or the log turns out to be another one. */
  async #readFromCheckpoint(): Promise<void> {
    const projection = await this.projector.begin();
    const changed = Promise.withResolvers<void>();
    let valid = true;
    const reader = await orderedReader(this.bus, {
      stream: LOG_STREAM,
      startSeq: projection.nextSeq,
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
