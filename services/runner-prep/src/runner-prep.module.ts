import { Module } from '@nestjs/common';
import { RunnerPrepHandlers } from './runner-prep.handlers.ts';
import { RunnerPrepService } from './runner-prep.service.ts';

@Module({ controllers: [RunnerPrepHandlers], providers: [RunnerPrepService] })
export class RunnerPrepModule {}
