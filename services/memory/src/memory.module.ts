import { Module } from '@nestjs/common';
import { Blobs, EventPublisher } from '@reins/bus';
import { BusModule } from '@reins/service-kit';
import { MemoryCalls } from './calls/memory-calls.ts';
import { MemoryLog } from './log/memory-log.ts';
import { MemoryService } from './memory.service.ts';
import { Recalls } from './runs/recalls.ts';
import { RunHandlers } from './runs/run.handlers.ts';
import { Projection } from './store/projection.ts';
import { MemoryStore } from './store/store.ts';

@Module({
  imports: [BusModule.with(Blobs, EventPublisher)],
  controllers: [RunHandlers],
  providers: [MemoryStore, Projection, MemoryLog, MemoryService, MemoryCalls, Recalls],
})
export class MemoryModule {}
