import { Module } from '@nestjs/common';
import { Blobs, EventPublisher } from '@reins/bus';
import { BusModule, HarnessWatch, processEnvironment } from '@reins/service-kit';
import { TreeStore } from '@reins/workspace-tree';
import { RunnerPrepHandlers } from './runner-prep.handlers.ts';
import { RunnerPrepService } from './runner-prep.service.ts';

@Module({
  imports: [BusModule.with(Blobs, TreeStore, HarnessWatch, EventPublisher)],
  controllers: [RunnerPrepHandlers],
  providers: [RunnerPrepService, processEnvironment],
})
export class RunnerPrepModule {}
