import { Module } from '@nestjs/common';
import { NarratorReader } from './narrator.reader.ts';
import { NarratorService } from './narrator.service.ts';

@Module({ providers: [NarratorReader, NarratorService] })
export class NarratorModule {}
