import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type BusMessage, crashPoint } from '@reins/bus';
import { OnEvent } from '@reins/bus/nest';
import type { EventOf } from '@reins/contracts';
import { answerDeadLetters } from '@reins/service-kit';
import { PlanCompilerService } from './plan-compiler.service.ts';

/** The number of concurrent compilations. Each reads a few files and needs little CPU. */
const CONCURRENCY = 16;

@Controller()
export class PlanCompilerHandlers {
  constructor(private readonly service: PlanCompilerService) {}

  @OnEvent('runtime.plan.requested', {
    concurrency: CONCURRENCY,
    onDead: answerDeadLetters('runtime.plan.rejected', (error) => ({
      diagnostics: [{ severity: 'error' as const, ...error }],
    })),
  })
  async compile(@Payload() event: EventOf<'runtime.plan.requested'>, @Ctx() message: BusMessage): Promise<void> {
    await this.service.compile(event, message);
    crashPoint('plan.answered');
  }
}
