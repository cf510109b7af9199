import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { ChaosSettings } from './chaos-settings.ts';
import { JournalSettings } from './journal-settings.ts';
import { NarrationSettings } from './narration-settings.ts';
import { ProviderSettings } from './provider-settings.ts';
import { TelemetrySettings } from './telemetry-settings.ts';
import { WithoutPassword } from './without-password.ts';

/** Format of runtime, provider and host names: valid subject tokens. */
const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;
const MODES = ['self', 'external', 'supervisor'] as const;
const SANDBOX_RULES = ['preferred', 'required'] as const;
const EXECUTOR_SANDBOX_RULES = [...SANDBOX_RULES, 'off'] as const;

export class NatsSettings {
  /** URL of the NATS server; several URLs of a cluster are separated by commas. */
  @IsString()
  @MinLength(1)
  url = 'nats://127.0.0.1:4222';

  @IsOptional()
  @IsString()
  user?: string;

  @IsOptional()
  @IsString()
  password?: string;

  @IsOptional()
  @IsString()
  token?: string;

  /** The text of a `.creds` file. */
  @IsOptional()
  @IsString()
  credentials?: string;

  /** Folder with the NKey seed of each user, `<user>.nk`: a service connects as the user of its own name. */
  @IsOptional()
  @IsString()
  usersDir?: string;

  /**
   * `self`: services create and update streams, consumers and buckets at startup. `external`: they only check them.
   * `supervisor`: who started the services has created them.
   */
  @IsIn(MODES)
  managed: (typeof MODES)[number] = 'self';

  /** Replicas of every stream and bucket. */
  @IsIn([1, 3, 5])
  replicas: 1 | 3 | 5 = 1;

  /** Number of partitions. Cannot change after installation. */
  @IsInt()
  @Min(1)
  @Max(256)
  partitions = 16;
}

export class AuthoredProcessSettings {
  /** `required`: authored processes run only in isolation by the operating system. `preferred`: in the best isolation of the host. */
  @IsIn(SANDBOX_RULES)
  sandbox: (typeof SANDBOX_RULES)[number] = 'preferred';
}

export class DatabaseSettings {
  @IsString()
  @MinLength(1)
  url = 'postgres://reins@127.0.0.1:5432/reins';

  @IsInt()
  @Min(1)
  @Max(200)
  poolSize = 5;
}

export class HttpSettings {
  @IsString()
  host = '127.0.0.1';

  /** Port of the gateway. The other services use the following ports for health and metrics. */
  @IsInt()
  @Min(0)
  @Max(65_000)
  portBase = 7420;

  /** Port of this process, overriding `portBase`. 0 = any free port. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(65_535)
  port?: number;
}

export class GatewaySettings {
  /** Maximum bytes of a request body. */
  @IsInt()
  @Min(1024)
  maxBodyBytes = 32 * 1024 * 1024;

  /** Maximum bytes of an attachment. */
  @IsInt()
  @Min(1)
  maxAttachmentBytes = 25 * 1024 * 1024;

  /** Maximum number of open requests. Further requests get status 429. */
  @IsInt()
  @Min(1)
  maxOpenRequests = 10_000;

  /** Maximum number of submissions and commands of one API key per minute. Further calls get status 429. */
  @IsInt()
  @Min(1)
  callsPerKey = 30_000;

  /** Maximum number of commands of one API key to one request per minute. Further commands get status 429. */
  @IsInt()
  @Min(1)
  commandsPerRequest = 600;

  /** Maximum number of commands that wait for one request. Further commands get status 429. */
  @IsInt()
  @Min(1)
  maxHeldCommands = 1_000;
}

export class RuntimeProfileSettings {
  /** Runtime of every stage that `stages` does not name. */
  @Matches(TOKEN)
  default = 'pi';

  /** Stage → runtime id. */
  @IsObject()
  stages: Partial<Record<'interview' | 'execute' | 'evaluate' | 'reflect', string>> = {};

  /** Runtimes that a workspace may select in its `runtime_profile`. */
  @IsArray()
  @Matches(TOKEN, { each: true })
  workspaceMayUse: string[] = [];
}

export class PrepareSettings {
  /** Milliseconds after which a missing context is left out of the prompt. */
  @IsInt()
  @Min(1)
  contextDeadlineMs = 1_500;

  /** Maximum tokens of a context in the prompt, by context id, overriding the defaults. */
  @IsObject()
  contextTokens: Record<string, number> = {};

  /** Timeout in milliseconds for extracting the text of an attached document. */
  @IsInt()
  @Min(100)
  extractDeadlineMs = 20_000;

  /** Maximum heap of the text extraction in megabytes. */
  @IsInt()
  @Min(32)
  extractMemoryMb = 256;

  /**
   * Folder with skills of the installation: `<id>/SKILL.md`. They take precedence over workspace skills with the same
   * id.
   */
  @IsOptional()
  @IsString()
  skillsDir?: string;

  /** URL of the installation's runtime tools; without it runs have no runtime tools. */
  @IsOptional()
  @IsString()
  @WithoutPassword()
  runtimeApiUrl?: string;
}

/** The operator's desktop: its browser, and the context that it reports about what the operator is viewing. */
export class DesktopSettings {
  /** Whether runs may use the desktop's browser. */
  @IsIn(['off', 'on'])
  browser: 'off' | 'on' = 'off';

  @IsOptional()
  @IsString()
  @WithoutPassword()
  url?: string;

  /** Access token for the desktop. */
  @IsOptional()
  @IsString()
  token?: string;
}

export class ModelSettings {
  /** `<provider>/<model>`, set by the operator. Overrides the workspace, but not a request. */
  @IsOptional()
  @IsString()
  override?: string;
}

export class HostSettings {
  /** Id of this harness host; by default derived from the machine name and the process. */
  @IsOptional()
  @Matches(TOKEN)
  id?: string;

  /** Runtimes that this host offers. */
  @IsArray()
  @Matches(TOKEN, { each: true })
  runtimes: string[] = ['pi', 'openai_chat', 'echo'];

  /** Maximum number of concurrent stage runs. */
  @IsInt()
  @Min(1)
  @Max(1000)
  slots = 4;

  /** Number of executor processes that are started in advance. */
  @IsInt()
  @Min(0)
  @Max(100)
  warm = 1;

  /**
   * The operating-system sandbox around executors. `required`: stages are refused without one. `preferred`: the best one
   * of the host. `off`: executors have the rights of the host's user.
   */
  @IsIn(EXECUTOR_SANDBOX_RULES)
  sandbox: (typeof EXECUTOR_SANDBOX_RULES)[number] = 'preferred';

  /** Environment variables that a workspace may reference as `{env:NAME}`. */
  @IsArray()
  @IsString({ each: true })
  secrets: string[] = [];
}

export class LimitsSettings {
  /** Milliseconds that a stage may wait for a host that is not busy. */
  @IsInt()
  @Min(1000)
  stageStartWithinMs = 120_000;

  /** Milliseconds that an attempt at a stage may wait while all hosts of its runtime are busy. */
  @IsInt()
  @Min(1000)
  stageQueueForMs = 21_600_000;

  /** Milliseconds that a host may take to prepare a stage: files, services, and the setup of applications. */
  @IsInt()
  @Min(1000)
  stagePrepareForMs = 900_000;

  /** Milliseconds that a stage may run. */
  @IsInt()
  @Min(1000)
  stageRunForMs = 1_800_000;

  @IsInt()
  @Min(1)
  @Max(20)
  stageMaxAttempts = 2;

  /** What to do about a stage that may have acted and whose outcome is unknown. */
  @IsIn(['retry', 'fail'])
  stageOnUnknown: 'retry' | 'fail' = 'retry';

  /** Milliseconds that the plan and prepare steps may take. */
  @IsInt()
  @Min(1000)
  serviceRunForMs = 60_000;

  /** Milliseconds after which a run fails when a runtime that it names was never available. */
  @IsInt()
  @Min(0)
  runtimeGraceMs = 60_000;

  /** Milliseconds that an executor's question waits for its answer. */
  @IsInt()
  @Min(1000)
  answerWithinMs = 86_400_000;

  /** Milliseconds that a cancelled run waits for its host. */
  @IsInt()
  @Min(0)
  cancelGraceMs = 10_000;
}

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
  @Type(() => LimitsSettings)
  limits = new LimitsSettings();

  @ValidateNested()
  @Type(() => JournalSettings)
  journal = new JournalSettings();

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
