import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonObject, JsonValue } from '@reins/contracts';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsString,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { IsFileName } from '../attachments/attachments.dto.ts';
import { ANY_JSON } from '../http/any-json.ts';
import { IsBoundedJson, IsSha256, IsStageMap, IsToken, Optional } from '../http/rules.ts';
import { Untransformed } from '../http/validation.ts';

const TOKEN = '^[A-Za-z0-9_-]{1,64}$';
const SHA256 = '^[0-9a-f]{64}$';

export class WorkspaceRef {
  @ApiProperty({ pattern: TOKEN })
  @IsToken()
  id!: string;

  @ApiPropertyOptional({
    pattern: SHA256,
    description: 'the tree to start from; default: the last upload',
  })
  @Optional()
  @IsSha256()
  revision?: string;
}

export class AttachmentRef {
  @ApiProperty({ pattern: SHA256, description: 'hash of an uploaded blob' })
  @IsSha256()
  sha256!: string;

  @ApiProperty({ type: 'integer', minimum: 0 })
  @IsInt()
  @Min(0)
  size!: number;

  @ApiPropertyOptional({ maxLength: 200 })
  @Optional()
  @IsString()
  @MaxLength(200)
  mediaType?: string;

  @ApiPropertyOptional({ maxLength: 200, description: 'the file name, as users see it' })
  @Optional()
  @IsFileName()
  name?: string;
}

/** The request to fork. */
export class ForkOf {
  @ApiProperty({ pattern: TOKEN, description: 'a request of the same workspace' })
  @IsToken()
  requestId!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'the maximum number of journal entries to share' })
  @IsInt()
  @Min(1)
  at!: number;
}

/** A unit of work for a workspace. */
export class SubmitRequest {
  @ApiProperty({ type: WorkspaceRef })
  @IsNotEmpty()
  @IsObject()
  @ValidateNested()
  @Type(() => WorkspaceRef)
  workspace!: WorkspaceRef;

  @ApiProperty({ ...ANY_JSON, description: 'any JSON; usually a string', example: 'Add a test for the parser' })
  @Untransformed()
  @IsBoundedJson()
  input!: JsonValue;

  @ApiPropertyOptional({ type: [AttachmentRef], maxItems: 100 })
  @Optional()
  @IsArray()
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => AttachmentRef)
  attachments?: AttachmentRef[];

  @ApiPropertyOptional({ maxLength: 64, default: 'main' })
  @Optional()
  @IsToken()
  agentId?: string;

  @ApiPropertyOptional({ pattern: TOKEN, description: 'the session of the request; default: a new one' })
  @Optional()
  @IsToken()
  sessionId?: string;

  @ApiPropertyOptional({ maxLength: 200, example: 'openai/gpt-5' })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  model?: string;

  @ApiPropertyOptional({ maxLength: 100 })
  @Optional()
  @IsString()
  @MaxLength(100)
  thinkingValue?: string;

  @ApiPropertyOptional({
    description: 'stage → runtime id, for this request only',
    example: { execute: 'pi' },
    type: 'object',
    properties: Object.fromEntries(
      ['interview', 'execute', 'evaluate', 'reflect'].map((stage) => [stage, { type: 'string', pattern: TOKEN }]),
    ),
    additionalProperties: false,
  })
  @Optional()
  @Untransformed()
  @IsStageMap()
  stages?: Record<string, string>;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @Optional()
  @Untransformed()
  @IsObject()
  @IsBoundedJson()
  metadata?: JsonObject;

  @ApiPropertyOptional({
    maxLength: 500,
    description:
      'the process of the run; default: that of the workspace, else `pipeline`. `bare-run`: the run waits until a process is assigned',
  })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(500)
  process?: string;

  @ApiPropertyOptional({ pattern: TOKEN, description: 'the request that this one retries, in whole or in part' })
  @Optional()
  @IsToken()
  retryOf?: string;

  @ApiPropertyOptional({
    type: ForkOf,
    description:
      'shares the first entries of another request, without repeating their work; `process` must be the same',
  })
  @Optional()
  @ValidateNested()
  @Type(() => ForkOf)
  fork?: ForkOf;
}

export class CancelRequest {
  @ApiPropertyOptional({ maxLength: 1000 })
  @Optional()
  @IsString()
  @MaxLength(1000)
  reason?: string;
}

/** The answer to a question of the executor, or to a task. */
