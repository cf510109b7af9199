import type { ServiceDefinition } from '@reins/service-kit';
import { ProjectorModule } from './projector.module.ts';

export { REBUILD_SUBJECT, type RebuildEvent } from './projector.handlers.ts';
export { formatReport, type VerifyReport, verifyProjections } from './verify/verify.ts';

/** Starts with `startService(projector, settings)`. */
export const projector: ServiceDefinition = { name: 'projector', module: ProjectorModule };
