import { IsIn, IsOptional, IsString, MinLength } from 'class-validator';
import { WithoutPassword } from './without-password.ts';

export class ProviderSettings {
  @IsIn(['openai-completions', 'openai-responses', 'anthropic-messages', 'google-generative-ai'])
  api!: 'openai-completions' | 'openai-responses' | 'anthropic-messages' | 'google-generative-ai';

  @IsString()
  @MinLength(1)
  @WithoutPassword()
  baseUrl!: string;

  /** The API key. Prefer `apiKeyEnv`. */
  @IsOptional()
  @IsString()
  apiKey?: string;

  /** Name of the environment variable that holds the key. */
  @IsOptional()
  @IsString()
  apiKeyEnv?: string;
}

export class ModelSettings {
  /** `<provider>/<model>`, set by the operator. Overrides the workspace, but not a request. */
  @IsOptional()
  @IsString()
  override?: string;
}
