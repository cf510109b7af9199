import { Module } from '@nestjs/common';
import { ProjectorConsumer } from './projector.consumer.ts';
import { ProjectorService } from './projector.service.ts';

@Module({ providers: [ProjectorService, ProjectorConsumer] })
export class ProjectorModule {}
