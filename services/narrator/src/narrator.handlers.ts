import { Injectable } from '@nestjs/common';
import type { BusMessage } from '@reins/bus';
import { METRICS, OnLog } from '@reins/service-kit';
import { NarratorService } from './narrator.service.ts';

/** Maximum number of events that are narrated concurrently. */
const CONCURRENCY = 256;

@Injectable()
export class NarratorHandlers {
  constructor(private readonly narrator: NarratorService) {}

  /** Narrations of events that the log has lost are lost with them. */
  @OnLog('EVENTS', {
    filters: ['runtime.>', 'agent.tool.>'],
    position: { key: 'narrator', concurrency: CONCURRENCY },
    gaps: METRICS.narratorGaps,
  })
  narrate(message: BusMessage): void | Promise<void> {
    const run = this.narrator.narratableRun(message);
    return run && this.narrator.take(message, run);
  }
}
