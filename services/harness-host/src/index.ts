import type { ServiceDefinition } from '@reins/service-kit';
import { HarnessHostModule } from './harness-host.module.ts';

export { HarnessHost, type HostOptions } from './harness-host.ts';

/** The service that runs stages in harnesses. It takes its messages itself: its places are shared by several durables. */
export const harnessHost: ServiceDefinition = { name: 'harness-host', module: HarnessHostModule };
