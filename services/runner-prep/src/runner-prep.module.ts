import { Module } from '@nestjs/common';
import { processEnvironment } from '@reins/service-kit';
import { RunnerPrepHandlers } from './runner-prep.handlers.ts';
import { RunnerPrepService } from './runner-prep.service.ts';

@Module({
  controllers: [RunnerPrepHandlers],
  providers: [RunnerPrepService, processEnvironment],
})
export class RunnerPrepModule {}
