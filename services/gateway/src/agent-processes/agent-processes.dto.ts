import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { STAGES } from '@reins/contracts';
import { Type } from 'class-transformer';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { Field } from '../http/field.ts';
import { IsToken, Optional } from '../http/rules.ts';
import { STAGE_STATUS, StageRunView } from '../requests/stage-run.responses.ts';

export class AgentProcessQuery {
  @Field({ description: 'only those of this request and its child runs' })
  @Optional()
  @IsToken()
  requestId?: string;

  @Field()
  @Optional()
  @IsToken()
  workspaceId?: string;

  @Field()
  @Optional()
  @IsIn(STAGES)
  stage?: string;

  @Field()
  @Optional()
  @IsToken()
  runtimeId?: string;

  @Field()
  @Optional()
  @IsToken()
  hostId?: string;

  @Field()
  @Optional()
  @IsIn(STAGE_STATUS)
  state?: string;

  @Field({ description: '`next` of the previous page' })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  cursor?: number;

  @Field({ default: 50 })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;
}

/** One attempt at a stage: which runtime ran it, for which request, and where. */
export class AgentProcessView extends PickType(StageRunView, [
  'requestId',
  'parentRequestId',
  'effectId',
  'attempt',
  'stage',
  'runtimeId',
  'runtimeSource',
  'directive',
  'hostId',
  'requestedAt',
  'startedAt',
  'endedAt',
  'durationMs',
]) {
  @ApiPropertyOptional({ description: 'the request that this child run belongs to' })
  rootRequestId?: string;

  @ApiProperty()
  workspaceId!: string;

  @ApiProperty()
  sessionId!: string;

  @ApiProperty({ enum: STAGE_STATUS })
  state!: string;
}

export class AgentProcessPage {
  @ApiProperty({ type: [AgentProcessView], description: 'newest first' })
  agentProcesses!: AgentProcessView[];

  @ApiPropertyOptional({ description: 'the cursor of the next page; absent on the last one' })
  next?: number;
}
