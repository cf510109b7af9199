import { type JsonObject, type JsonValue, STAGES, type Stage } from '@reins/contracts';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
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
import { Field } from '../http/field.ts';
import { IsBoundedJson, IsSha256, IsStageMap, IsToken, Optional } from '../http/rules.ts';
import { Untransformed } from '../http/validation.ts';

export class WorkspaceRef {
  @Field()
  @IsToken()
  id!: string;

  @Field({
    description: 'the tree to start from; default: the last upload',
  })
  @Optional()
  @IsSha256()
  revision?: string;
}

export class AttachmentRef {
  @Field({ description: 'hash of an uploaded blob' })
  @IsSha256()
  sha256!: string;

  @Field()
  @IsInt()
  @Min(0)
  size!: number;

  @Field()
  @Optional()
  @IsString()
  @MaxLength(200)
  mediaType?: string;

  @Field({ description: 'the file name, as users see it' })
  @Optional()
  @IsFileName()
  name?: string;
}

/** The request to fork. */
export class ForkOf {
  @Field({ description: 'a request of the same workspace' })
  @IsToken()
  requestId!: string;

  @Field({ description: 'the maximum number of journal entries to share' })
  @IsInt()
  @Min(1)
  at!: number;
}

/** A unit of work for a workspace. */
export class SubmitRequest {
  @Field({ type: WorkspaceRef })
  @IsNotEmpty()
  @IsObject()
  @ValidateNested()
  @Type(() => WorkspaceRef)
  workspace!: WorkspaceRef;

  @Field({ ...ANY_JSON, description: 'any JSON; usually a string', example: 'Add a test for the parser' })
  @Untransformed()
  @IsBoundedJson()
  input!: JsonValue;

  @Field({ type: [AttachmentRef] })
  @Optional()
  @IsArray()
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => AttachmentRef)
  attachments?: AttachmentRef[];

  @Field({ default: 'main' })
  @Optional()
  @IsToken()
  agentId?: string;

  @Field({ description: 'the session of the request; default: a new one' })
  @Optional()
  @IsToken()
  sessionId?: string;

  @Field({ example: 'openai/gpt-5' })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  model?: string;

  @Field()
  @Optional()
  @IsString()
  @MaxLength(100)
  thinkingValue?: string;

  @Field({
    description: 'stage → runtime id, for this request only',
    example: { execute: 'pi' },
  })
  @Optional()
  @Untransformed()
  @IsStageMap()
  stages?: Record<string, string>;

  @Field({ type: 'object', additionalProperties: true })
  @Optional()
  @Untransformed()
  @IsObject()
  @IsBoundedJson()
  metadata?: JsonObject;

  @Field({
    description:
      'the process of the run; default: that of the workspace, else `pipeline`. `bare-run`: the run waits until a process is assigned',
  })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(500)
  process?: string;

  @Field({ description: 'the request that this one retries, in whole or in part' })
  @Optional()
  @IsToken()
  retryOf?: string;

  @Field({
    type: ForkOf,
    description:
      'shares the first entries of another request, without repeating their work; `process` must be the same',
  })
  @Optional()
  @ValidateNested()
  @Type(() => ForkOf)
  fork?: ForkOf;
}

export class RetryRequest {
  @Field({
    description: 'repeats this stage and what follows, from the tree before it; default: the whole request',
  })
  @Optional()
  @IsIn(STAGES)
  from?: Stage;
}

export class CancelRequest {
  @Field()
  @Optional()
  @IsString()
  @MaxLength(1000)
  reason?: string;

  @Field({ description: 'the person who cancels; recorded with the name of the key' })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  requestedBy?: string;
}

/** The answer to a question of the executor, or to a task. */
