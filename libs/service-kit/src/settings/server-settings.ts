import { EVENTS_MAX_AGE_DAYS } from '@reins/bus';
import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { TOKEN } from './names.ts';

const MODES = ['self', 'external', 'supervisor'] as const;

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

  /** Days until the events of EVENTS are removed. */
  @IsInt()
  @Min(1)
  @Max(3_650)
  eventsMaxAgeDays = EVENTS_MAX_AGE_DAYS;
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

export class OpenAiProtocolSettings {
  /** Whether the gateway serves `/v1` for clients of OpenAI. */
  @IsBoolean()
  enabled = true;

  /** The workspace of model names without one: `<agent>`. */
  @IsOptional()
  @Matches(TOKEN)
  workspace?: string;

  /** How long a call waits for the answer of its request. The request then continues without it. */
  @IsInt()
  @Min(1)
  @Max(86_400)
  maxWaitSeconds = 600;
}

/** The protocols of the gateway, next to its own API. */
export class ProtocolSettings {
  @ValidateNested()
  @Type(() => OpenAiProtocolSettings)
  openai = new OpenAiProtocolSettings();
}
