import { Module } from '@nestjs/common';
import { ENVIRONMENT, processEnvironment } from './environment.ts';
import { HarnessHostService } from './harness-host.service.ts';

@Module({ providers: [HarnessHostService, { provide: ENVIRONMENT, useFactory: processEnvironment }] })
export class HarnessHostModule {}
