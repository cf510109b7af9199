import type { ServiceDefinition } from '@reins/service-kit';
import { ControlBusModule } from './control-bus.module.ts';

/** The service that owns the run journals. */
export const controlBus: ServiceDefinition = { name: 'control-bus', module: ControlBusModule };
