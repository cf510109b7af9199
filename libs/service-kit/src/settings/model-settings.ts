import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Min,
  MinLength,
} from 'class-validator';
import { WithoutPassword } from './without-password.ts';

/** Facts about one model. Each replaces the fact of the model catalogue. Prices: US dollars per million tokens. */
export class ProviderModelSettings {
  /** Whether the model can think before it answers. */
  @IsOptional()
  @IsBoolean()
  reasoning?: boolean;

  /** Whether its API takes a level of thinking or a number of tokens. */
  @IsOptional()
  @IsIn(['effort', 'budget'])
  thinking?: 'effort' | 'budget';

  @IsOptional()
  @IsArray()
  @IsIn(['minimal', 'low', 'medium', 'high', 'xhigh', 'max'], { each: true })
  thinkingLevels?: ('minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max')[];

  @IsOptional()
  @IsInt()
  @Min(1)
  contextWindow?: number;

  @IsOptional()
  @IsInt()
  @Min(1)
  maxOutputTokens?: number;

  /** Whether the model accepts images. */
  @IsOptional()
  @IsBoolean()
  images?: boolean;

  @IsOptional()
  @IsNumber()
  @Min(0)
  inputPrice?: number;

  @IsOptional()
  @IsNumber()
  @Min(0)
  outputPrice?: number;

  /** The price of input that is read from a cache. */
  @IsOptional()
  @IsNumber()
  @Min(0)
  cachedInputPrice?: number;

  /** The price of input that is written to a cache. */
  @IsOptional()
  @IsNumber()
  @Min(0)
  cacheWritePrice?: number;
}

/** A model endpoint. */
export class ProviderSettings {
  @IsIn(['openai-completions', 'openai-responses', 'anthropic-messages', 'google-generative-ai'])
  api!: 'openai-completions' | 'openai-responses' | 'anthropic-messages' | 'google-generative-ai';

  @IsString()
  @MinLength(1)
  @WithoutPassword()
  baseUrl!: string;

  /** The API key. Prefer `apiKeyFile` or `apiKeyEnv`. */
  @IsOptional()
  @IsString()
  apiKey?: string;

  /** Name of the environment variable that holds the key. */
  @IsOptional()
  @IsString()
  apiKeyEnv?: string;

  /** Path of the file that holds the key. Harness hosts read it for each stage and each check. It has precedence over the others. */
  @IsOptional()
  @IsString()
  @MinLength(1)
  apiKeyFile?: string;

  /** Headers of every call. A value may refer to variables of the environment: `{env:NAME}`. */
  @IsOptional()
  @IsObject()
  headers?: Record<string, string>;

  /** Names that workspaces may use for models of the provider, such as former names. */
  @IsOptional()
  @IsObject()
  aliases?: Record<string, string>;

  /** Marks the endpoint as a managed proxy of several vendors, and is the user that it receives. */
  @IsOptional()
  @IsString()
  proxyUserId?: string;

  /** Maximum number of concurrent calls of all harness hosts, which share it. */
  @IsOptional()
  @IsInt()
  @Min(1)
  maxCalls?: number;

  /** Maximum number of calls of each harness host that wait for the provider. */
  @IsOptional()
  @IsInt()
  @Min(0)
  maxWaitingCalls?: number;

  /** Facts about its models, by model id. */
  @IsOptional()
  @IsObject()
  models?: Record<string, ProviderModelSettings>;
}

/** The model of all requests. */
export class ModelSettings {
  /** `<provider>/<model>`, set by the operator. Overrides the workspace, but not a request. */
  @IsOptional()
  @IsString()
  override?: string;

  /** Names for models of any provider: `<name>` → `<provider>/<model>`. */
  @IsObject()
  aliases?: Record<string, string> = {};
}
