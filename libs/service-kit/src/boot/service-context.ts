import type { Bus } from '@reins/bus';
import type { Registry } from 'prom-client';
import type { Health } from '../health/health.ts';
import type { Logger } from '../logging/logger.ts';
import type { Settings } from '../settings/settings.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

/** Injection tokens. `Settings`, `Health` and prom-client's `Registry` are injected by their class. */
export const BUS = Symbol.for('reins.bus');
export const LOG = Symbol.for('reins.log');
export const TELEMETRY = Symbol.for('reins.telemetry');
/** The name of the service. */
export const SERVICE = Symbol.for('reins.service');

/** The shared components of a service. */
export interface ServiceContext {
  readonly name: string;
  readonly settings: Settings;
  readonly bus: Bus;
  readonly log: Logger;
  readonly health: Health;
  readonly metrics: Registry;
  readonly telemetry: Telemetry;
}
