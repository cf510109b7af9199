import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type BusMessage, crashPoint } from '@reins/bus';
import { OnEvent } from '@reins/bus/nest';
import type { EventOf } from '@reins/contracts';
import { answerDeadLetters } from '@reins/service-kit';
import { RunnerPrepService } from './runner-prep.service.ts';

/** The number of concurrent preparations. Each needs little CPU and two small uploads. */
const CONCURRENCY = 32;

@Controller()
export class RunnerPrepHandlers {
  constructor(private readonly service: RunnerPrepService) {}

  @OnEvent('runtime.prepare.requested', {
    concurrency: CONCURRENCY,
    onDead: answerDeadLetters('runtime.prepare.failed', (error) => ({ error })),
  })
  async prepare(@Payload() event: EventOf<'runtime.prepare.requested'>, @Ctx() message: BusMessage): Promise<void> {
    await this.service.prepare(event, message);
    crashPoint('prepare.answered');
  }
}
