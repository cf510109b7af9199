import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Registry } from 'prom-client';
import { HealthController } from '../health/health.controller.ts';
import { Health } from '../health/health.ts';
import { LogReaders } from '../log/log-readers.ts';
import { Settings } from '../settings/settings.ts';
import { BUS, LOG, SERVICE, type ServiceContext, TELEMETRY } from './service-context.ts';

@Global()
@Module({})
class KitModule {}

/** Provides settings, bus, log, health and metrics to every module of a service, and reads what its handlers handle. */
export function kitModule(context: ServiceContext): DynamicModule {
  const provided = [
    { provide: Settings, useValue: context.settings },
    { provide: BUS, useValue: context.bus },
    { provide: LOG, useValue: context.log },
    { provide: Health, useValue: context.health },
    { provide: Registry, useValue: context.metrics },
    { provide: TELEMETRY, useValue: context.telemetry },
    { provide: SERVICE, useValue: context.name },
  ];
  const exports = provided.map(({ provide }) => provide);
  return {
    module: KitModule,
    imports: [DiscoveryModule],
    controllers: [HealthController],
    providers: [...provided, LogReaders],
    exports,
  };
}
