import { Injectable } from '@nestjs/common';
import { METRICS, newGauge } from '@reins/service-kit';
import { Registry } from 'prom-client';
import { Admission } from './admission.ts';
import { EventHub } from './events/event-hub.ts';

/** Exports the number of open requests and event streams. */
@Injectable()
export class GatewayMetrics {
  constructor(registry: Registry, admission: Admission, hub: EventHub) {
    newGauge(registry, METRICS.openRequests, () => admission.open);
    newGauge(registry, METRICS.streams, () => hub.watchers);
  }
}
