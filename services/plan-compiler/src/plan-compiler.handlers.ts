import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type BusMessage, crashPoint } from '@reins/bus';
import { OnEvent } from '@reins/bus/nest';
import type { EventOf } from '@reins/contracts';
import { PlanCompilerService } from './plan-compiler.service.ts';

@Controller()
export class PlanCompilerHandlers {
  constructor(private readonly service: PlanCompilerService) {}

  @OnEvent('runtime.plan.requested')
  async compile(@Payload() event: EventOf<'runtime.plan.requested'>, @Ctx() message: BusMessage): Promise<void> {
    await this.service.compile(event, message);
    crashPoint('plan.answered');
  }
}
