import { Module } from '@nestjs/common';
import { Blobs, EventPublisher } from '@reins/bus';
import { BusModule } from '@reins/service-kit';
import { TreeStore } from '@reins/workspace-tree';
import { PlanCompilerHandlers } from './plan-compiler.handlers.ts';
import { PlanCompilerService } from './plan-compiler.service.ts';

@Module({
  imports: [BusModule.with(Blobs, TreeStore, EventPublisher)],
  controllers: [PlanCompilerHandlers],
  providers: [PlanCompilerService],
})
export class PlanCompilerModule {}
