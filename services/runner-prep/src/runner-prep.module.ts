import { Module } from '@nestjs/common';
import { ENVIRONMENT, processEnvironment } from './environment.ts';
import { RunnerPrepHandlers } from './runner-prep.handlers.ts';
import { RunnerPrepService } from './runner-prep.service.ts';

@Module({
  controllers: [RunnerPrepHandlers],
  providers: [RunnerPrepService, { provide: ENVIRONMENT, useFactory: processEnvironment }],
})
export class RunnerPrepModule {}
