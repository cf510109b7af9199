import { Module } from '@nestjs/common';
import { Blobs, EventPublisher } from '@reins/bus';
import { BusModule } from '@reins/service-kit';
import { NarratorHandlers } from './narrator.handlers.ts';
import { NarratorService } from './narrator.service.ts';

@Module({ imports: [BusModule.with(Blobs, EventPublisher)], providers: [NarratorHandlers, NarratorService] })
export class NarratorModule {}
