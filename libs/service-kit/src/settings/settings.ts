import 'reflect-metadata';
import { Type } from 'class-transformer';
import { IsIn, IsObject, ValidateNested } from 'class-validator';
import { ChaosSettings } from './chaos-settings.ts';
import { HostSettings } from './host-settings.ts';
import { JournalSettings } from './journal-settings.ts';
import { ModelSettings, ProviderSettings } from './model-settings.ts';
import { NarrationSettings } from './narration-settings.ts';
import { PolicySettings } from './policy-settings.ts';
import { RetentionSettings } from './retention-settings.ts';
import {
  AuthoredProcessSettings,
  DesktopSettings,
  LimitsSettings,
  PrepareSettings,
  RuntimeProfileSettings,
} from './run-settings.ts';
import { DatabaseSettings, GatewaySettings, HttpSettings, NatsSettings, ProtocolSettings } from './server-settings.ts';
import { TelemetrySettings } from './telemetry-settings.ts';

export * from './host-settings.ts';
export * from './model-settings.ts';
export * from './run-settings.ts';
export * from './server-settings.ts';
export type { StageSettings } from './stage-settings.ts';

export class LogSettings {
  @IsIn(['debug', 'info', 'warn', 'error'])
  level: 'debug' | 'info' | 'warn' | 'error' = 'info';
}

/**
 * All settings of an installation, each with its name, type, rule and default. They are read from `reins.yaml` or
 * `reins.toml`, then from the environment. A variable is named `REINS_` plus the path in upper snake case: `nats.url`
 * is `REINS_NATS_URL`. Lists are comma-separated there, objects are JSON.
 */
export class Settings {
  @ValidateNested()
  @Type(() => NatsSettings)
  nats = new NatsSettings();

  @ValidateNested()
  @Type(() => AuthoredProcessSettings)
  processes = new AuthoredProcessSettings();

  @ValidateNested()
  @Type(() => DatabaseSettings)
  database = new DatabaseSettings();

  @ValidateNested()
  @Type(() => HttpSettings)
  http = new HttpSettings();

  @ValidateNested()
  @Type(() => GatewaySettings)
  gateway = new GatewaySettings();

  @ValidateNested()
  @Type(() => ProtocolSettings)
  protocols = new ProtocolSettings();

  @ValidateNested()
  @Type(() => RuntimeProfileSettings)
  runtimeProfile = new RuntimeProfileSettings();

  /** Model endpoints by provider id. */
  @IsObject()
  providers: Record<string, ProviderSettings> = {};

  @ValidateNested()
  @Type(() => ModelSettings)
  model = new ModelSettings();

  @ValidateNested()
  @Type(() => PrepareSettings)
  prepare = new PrepareSettings();

  @ValidateNested()
  @Type(() => DesktopSettings)
  desktop = new DesktopSettings();

  @ValidateNested()
  @Type(() => HostSettings)
  host = new HostSettings();

  /** Settings for the adapters of single runtimes, by runtime id. */
  @IsObject()
  harness: Record<string, Record<string, unknown>> = {};

  @ValidateNested()
  @Type(() => PolicySettings)
  policy = new PolicySettings();

  @ValidateNested()
  @Type(() => LimitsSettings)
  limits = new LimitsSettings();

  @ValidateNested()
  @Type(() => JournalSettings)
  journal = new JournalSettings();

  @ValidateNested()
  @Type(() => RetentionSettings)
  retention = new RetentionSettings();

  @ValidateNested()
  @Type(() => LogSettings)
  log = new LogSettings();

  @ValidateNested()
  @Type(() => TelemetrySettings)
  telemetry = new TelemetrySettings();

  @ValidateNested()
  @Type(() => NarrationSettings)
  narration = new NarrationSettings();

  @ValidateNested()
  @Type(() => ChaosSettings)
  chaos = new ChaosSettings();
}
