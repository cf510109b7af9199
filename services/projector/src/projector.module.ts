import { Module } from '@nestjs/common';
import { ProjectorHandlers } from './projector.handlers.ts';
import { ProjectorService } from './projector.service.ts';

@Module({ providers: [ProjectorService, ProjectorHandlers] })
export class ProjectorModule {}
