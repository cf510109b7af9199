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
import { TelemetrySettings } from './telemetry-settings.ts';
import { WithoutPassword } from './without-password.ts';

/** Names of runtimes, providers and hosts: subject tokens. */
const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;
const MODES = ['self', 'external'] as const;

export class NatsSettings {
  /** Where NATS is reached; several, separated by commas, for a cluster. */
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

  /** `self`: services create and update streams, consumers and buckets at boot. `external`: they only check them. */
  @IsIn(MODES)
  managed: (typeof MODES)[number] = 'self';

  /** Of every stream and bucket. */
  @IsIn([1, 3, 5])
  replicas: 1 | 3 | 5 = 1;

  /** Fixed at install. */
  @IsInt()
  @Min(1)
  @Max(256)
  partitions = 16;
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

  /** The gateway listens here, the other services for health and metrics on the ports that follow. */
  @IsInt()
  @Min(0)
  @Max(65_000)
  portBase = 7420;

  /** Of this one process, in place of its place after `portBase`. 0 = any free one. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(65_535)
  port?: number;
}

export class GatewaySettings {
  /** Bytes of one request body. */
  @IsInt()
  @Min(1024)
  maxBodyBytes = 32 * 1024 * 1024;

  /** Bytes of one attachment. */
  @IsInt()
  @Min(1)
  maxAttachmentBytes = 25 * 1024 * 1024;

  /** Accepted requests that have not ended; more are answered with 429. */
  @IsInt()
  @Min(1)
  maxOpenRequests = 10_000;
}

export class RuntimeProfileSettings {
  /** The runtime of every stage that is not named in `stages`. */
  @Matches(TOKEN)
  default = 'pi';

  /** Stage → runtime id. */
  @IsObject()
  stages: Partial<Record<'interview' | 'execute' | 'evaluate' | 'reflect', string>> = {};

  /** Runtimes that a workspace may choose for its own stages, in its `runtime_profile`. */
  @IsArray()
  @Matches(TOKEN, { each: true })
  workspaceMayUse: string[] = [];
}

export class PrepareSettings {
  /** Milliseconds until a context that is not there is left out of a prompt. */
  @IsInt()
  @Min(1)
  contextDeadlineMs = 1_500;

  /** Tokens that contexts may take of a prompt, by context id, in place of the defaults. */
  @IsObject()
  contextTokens: Record<string, number> = {};

  /** Milliseconds that taking the text out of one attached document may take. */
  @IsInt()
  @Min(100)
  extractDeadlineMs = 20_000;

  /** Megabytes of heap that it may take. */
  @IsInt()
  @Min(32)
  extractMemoryMb = 256;

  /** Folder with skills of the installation: `<id>/SKILL.md`. They win over a workspace's own of the same id. */
  @IsOptional()
  @IsString()
  skillsDir?: string;

  /** Where the runtime tools of the installation are served; without it no run has them. */
  @IsOptional()
  @IsString()
  @WithoutPassword()
  runtimeApiUrl?: string;
}

/** The desktop that an operator sits at: its browser, and what it tells of what they have in front of them. */
export class DesktopSettings {
  /** Whether runs may use its browser. */
  @IsIn(['off', 'on'])
  browser: 'off' | 'on' = 'off';

  @IsOptional()
  @IsString()
  @WithoutPassword()
  url?: string;

  /** What it is asked with. */
  @IsOptional()
  @IsString()
  token?: string;
}

export class ProviderSettings {
  @IsIn(['openai-completions', 'openai-responses', 'anthropic-messages', 'google-generative-ai'])
  api!: 'openai-completions' | 'openai-responses' | 'anthropic-messages' | 'google-generative-ai';

  @IsString()
  @MinLength(1)
  @WithoutPassword()
  baseUrl!: string;

  /** The key itself; better `apiKeyEnv`. */
  @IsOptional()
  @IsString()
  apiKey?: string;

  /** Name of the environment variable that holds the key. */
  @IsOptional()
  @IsString()
  apiKeyEnv?: string;
}

export class ModelSettings {
  /** `<provider>/<model>`, set by the operator: wins over what a workspace says, and not over a request. */
  @IsOptional()
  @IsString()
  override?: string;
}

export class HostSettings {
  /** Of this harness host; by default made from the machine's name and the process. */
  @IsOptional()
  @Matches(TOKEN)
  id?: string;

  /** Runtimes that this host offers. */
  @IsArray()
  @Matches(TOKEN, { each: true })
  runtimes: string[] = ['pi', 'openai_chat', 'echo'];

  /** Stage runs at once. */
  @IsInt()
  @Min(1)
  @Max(1000)
  slots = 4;

  /** Executor processes that wait for work, started ahead. */
  @IsInt()
  @Min(0)
  @Max(100)
  warm = 1;

  /** Names of environment variables that a workspace may use as `{env:NAME}`. */
  @IsArray()
  @IsString({ each: true })
  secrets: string[] = [];
}

export class LimitsSettings {
  /** Milliseconds that a stage may wait for a host, and run. */
  @IsInt()
  @Min(1000)
  stageStartWithinMs = 120_000;

  @IsInt()
  @Min(1000)
  stageRunForMs = 1_800_000;

  @IsInt()
  @Min(1)
  @Max(20)
  stageMaxAttempts = 2;

  /** Milliseconds that plan and prepare may take. */
  @IsInt()
  @Min(1000)
  serviceRunForMs = 60_000;

  /** Milliseconds until a run fails because a runtime that it names was never seen. */
  @IsInt()
  @Min(0)
  runtimeGraceMs = 60_000;

  /** Milliseconds that a question of an executor waits for its answer. */
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
 * Every setting of an installation, once: its name, type, rule and default. Read from `reins.yaml` or `reins.toml`, then from
 * the environment (`REINS_` + the path in upper snake case: `nats.url` is `REINS_NATS_URL`); lists are comma-separated there,
 * objects JSON.
 */
export class Settings {
  @ValidateNested()
  @Type(() => NatsSettings)
  nats = new NatsSettings();

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

  /** What the adapters of single runtimes read, by runtime id. */
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
