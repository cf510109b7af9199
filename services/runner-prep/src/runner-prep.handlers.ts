import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type BusMessage, crashPoint } from '@reins/bus';
import { OnEvent } from '@reins/bus/nest';
import type { EventOf } from '@reins/contracts';
import { RunnerPrepService } from './runner-prep.service.ts';

@Controller()
export class RunnerPrepHandlers {
  constructor(private readonly service: RunnerPrepService) {}

  @OnEvent('runtime.prepare.requested')
  async prepare(@Payload() event: EventOf<'runtime.prepare.requested'>, @Ctx() message: BusMessage): Promise<void> {
    await this.service.prepare(event, message);
    crashPoint('prepare.answered');
  }
}
