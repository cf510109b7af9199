import { Module } from '@nestjs/common';
import { MemoryCalls } from './calls/memory-calls.ts';
import { MemoryLog } from './log/memory-log.ts';
import { MemoryService } from './memory.service.ts';
import { Projection } from './store/projection.ts';
import { MemoryStore } from './store/store.ts';

@Module({ providers: [MemoryStore, Projection, MemoryLog, MemoryService, MemoryCalls] })
export class MemoryModule {}
