import type { ServiceDefinition } from '@reins/service-kit';
import { PlanCompilerModule } from './plan-compiler.module.ts';

/** The service that compiles workspaces. */
export const planCompiler: ServiceDefinition = { name: 'plan-compiler', module: PlanCompilerModule };
