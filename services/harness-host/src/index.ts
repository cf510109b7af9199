import type { ServiceDefinition } from '@reins/service-kit';
import { HarnessHostModule } from './harness-host.module.ts';

export { HarnessHost, type HostOptions } from './harness-host.ts';

/** The service that runs stages in harnesses. It manages its own consumers, because they share its slots. */
export const harnessHost: ServiceDefinition = { name: 'harness-host', module: HarnessHostModule };
