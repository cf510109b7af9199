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
    description: 'the tree to start from; by default the last one that was uploaded',
  })
  @Optional()
  @IsSha256()
  revision?: string;
}

export class AttachmentRef {
  @ApiProperty({ pattern: SHA256, description: 'of a blob that was uploaded before' })
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

  @ApiPropertyOptional({ maxLength: 200, description: 'the file name that its user knows it by' })
  @Optional()
  @IsFileName()
  name?: string;
}

/** The request whose first entries a new one shares. */
export class ForkOf {
  @ApiProperty({ pattern: TOKEN, description: 'a request of the same workspace' })
  @IsToken()
  requestId!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'how many entries of its journal are shared, at most' })
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

  @ApiProperty({ ...ANY_JSON, description: 'any JSON; usually a text', example: 'Add a test for the parser' })
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

  @ApiPropertyOptional({ pattern: TOKEN, description: 'the conversation that it belongs to; by default a new one' })
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
    description: 'stage → runtime id, for this request alone',
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
      'what drives the run: its process; by default that of the workspace, else `pipeline`. `bare-run`: it waits until it is given one',
  })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(500)
  process?: string;

  @ApiPropertyOptional({ pattern: TOKEN, description: 'the request that it does again, as a whole or in part' })
  @Optional()
  @IsToken()
  retryOf?: string;

  @ApiPropertyOptional({
    type: ForkOf,
    description: 'what was done there is not done again; `process` must be that of the other request',
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
export class AnswerRequest {
  @ApiProperty({ pattern: TOKEN, description: 'of what waits: `waiting.effectId` of the request' })
  @IsToken()
  effectId!: string;

  @ApiProperty(ANY_JSON)
  @Untransformed()
  @IsBoundedJson()
  answer!: JsonValue;
}
