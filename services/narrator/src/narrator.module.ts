import { Module } from '@nestjs/common';
import { NarratorHandlers } from './narrator.handlers.ts';
import { NarratorService } from './narrator.service.ts';

@Module({ providers: [NarratorHandlers, NarratorService] })
export class NarratorModule {}
