import type { ServiceDefinition } from '@reins/service-kit';
import { MemoryModule } from './memory.module.ts';

/** Starts with `startService(memory, settings)`. */
export const memory: ServiceDefinition = { name: 'memory', module: MemoryModule };
