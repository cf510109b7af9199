import { Module } from '@nestjs/common';
import { processEnvironment } from '@reins/service-kit';
import { HarnessHostService } from './harness-host.service.ts';

@Module({ providers: [HarnessHostService, processEnvironment] })
export class HarnessHostModule {}
