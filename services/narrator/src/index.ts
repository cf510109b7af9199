import type { ServiceDefinition } from '@reins/service-kit';
import { NarratorModule } from './narrator.module.ts';

export type { NarrationProvider, SourceEvent } from './providers/provider.ts';

/** Starts with `startService(narrator, settings)`. */
export const narrator: ServiceDefinition = { name: 'narrator', module: NarratorModule };
