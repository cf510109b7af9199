import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type BusMessage, crashPoint } from '@reins/bus';
import { OnEvent } from '@reins/bus/nest';
import type { EventOf } from '@reins/contracts';
import { answerDeadLetters } from '@reins/service-kit';
import { Recalls } from './recalls.ts';

/** Each recall is a few queries; more at once would only wait for connections. */
const CONCURRENCY = 32;

/** Handles what runs request from memory. */
@Controller()
export class RunHandlers {
  constructor(private readonly recalls: Recalls) {}

  @OnEvent('runtime.memory.recall.requested', {
    concurrency: CONCURRENCY,
    onDead: answerDeadLetters('runtime.memory.recall.failed', (error) => ({ error })),
  })
  async recall(
    @Payload() event: EventOf<'runtime.memory.recall.requested'>,
    @Ctx() message: BusMessage,
  ): Promise<void> {
    await this.recalls.answer(event, message);
    crashPoint('memory.recalled');
  }
}
