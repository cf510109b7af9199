import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { STAGES } from '@reins/contracts';
import { Type } from 'class-transformer';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { IsToken, Optional } from '../http/rules.ts';

const STATES = ['requested', 'running', 'waiting', 'completed', 'failed', 'cancelled'];

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

  @ApiPropertyOptional({ enum: STATES })
  @Optional()
  @IsIn(STATES)
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
export class AgentProcessView {
  @ApiProperty({ description: 'the run of the stage: a request, or a child run' })
  requestId!: string;

  @ApiPropertyOptional({ description: 'the run that waits for this child run' })
  parentRequestId?: string;

  @ApiPropertyOptional({ description: 'the request that this child run belongs to' })
  rootRequestId?: string;

  @ApiProperty()
  workspaceId!: string;

  @ApiProperty()
  sessionId!: string;

  @ApiProperty()
  effectId!: string;

  @ApiProperty()
  attempt!: number;

  @ApiProperty({ enum: STAGES })
  stage!: string;

  @ApiProperty({ description: 'the runtime that ran the stage' })
  runtimeId!: string;

  @ApiPropertyOptional({ enum: ['request', 'stage', 'default', 'fallback'] })
  runtimeSource?: string;

  @ApiPropertyOptional({ description: 'the control directive that started it' })
  directive?: string;

  @ApiProperty({ enum: STATES })
  state!: string;

  @ApiPropertyOptional()
  hostId?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  requestedAt?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  startedAt?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  endedAt?: string;

  @ApiPropertyOptional()
  durationMs?: number;
}

export class AgentProcessPage {
  @ApiProperty({ type: [AgentProcessView], description: 'newest first' })
  agentProcesses!: AgentProcessView[];

  @ApiPropertyOptional({ description: 'the cursor of the next page; absent on the last one' })
  next?: number;
}
