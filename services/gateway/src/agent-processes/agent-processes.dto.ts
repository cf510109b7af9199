import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { STAGES } from '@reins/contracts';
import { Type } from 'class-transformer';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { IsToken, Optional } from '../http/rules.ts';
import { STAGE_STATUS, StageRunView } from '../requests/requests.responses.ts';

export class AgentProcessQuery {
  @ApiPropertyOptional({ description: 'only those of this request and its child runs' })
  @Optional()
  @IsToken()
  requestId?: string;

  @ApiPropertyOptional()
  @Optional()
  @IsToken()
  workspaceId?: string;

  @ApiPropertyOptional({ enum: STAGES })
  @Optional()
  @IsIn(STAGES)
  stage?: string;

  @ApiPropertyOptional()
  @Optional()
  @IsToken()
  runtimeId?: string;

  @ApiPropertyOptional()
  @Optional()
  @IsToken()
  hostId?: string;

  @ApiPropertyOptional({ enum: STAGE_STATUS })
  @Optional()
  @IsIn(STAGE_STATUS)
  state?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, description: '`next` of the previous page' })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  cursor?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 200, default: 50 })
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
