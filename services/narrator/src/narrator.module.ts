import { Module } from '@nestjs/common';
import { Blobs, EventPublisher } from '@reins/bus';
import { BusModule } from '@reins/service-kit';
import { NarratorReader } from './narrator.reader.ts';
import { NarratorService } from './narrator.service.ts';

@Module({ imports: [BusModule.with(Blobs, EventPublisher)], providers: [NarratorReader, NarratorService] })
export class NarratorModule {}
