import { Module } from '@nestjs/common';
import { PlanCompilerHandlers } from './plan-compiler.handlers.ts';
import { PlanCompilerService } from './plan-compiler.service.ts';

@Module({ controllers: [PlanCompilerHandlers], providers: [PlanCompilerService] })
export class PlanCompilerModule {}
