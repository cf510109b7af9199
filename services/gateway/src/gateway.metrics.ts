import { Inject, Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { Admission } from './admission.ts';
import { EventHub } from './events/event-hub.ts';

/** How much is open at the edge. */
@Injectable()
export class GatewayMetrics {
  constructor(
    @Inject(Registry) registry: Registry,
    @Inject(Admission) admission: Admission,
    @Inject(EventHub) hub: EventHub,
  ) {
    gauge(
      registry,
      'reins_gateway_open_requests',
      'Requests that this process saw begin and not end',
      () => admission.open,
    );
    gauge(registry, 'reins_gateway_streams', 'Clients that are being streamed to', () => hub.watchers);
  }
}

function gauge(registry: Registry, name: string, help: string, value: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(value());
    },
  });
}
