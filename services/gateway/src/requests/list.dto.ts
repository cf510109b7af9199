import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { IsToken, Optional } from '../http/rules.ts';

const STATUS = ['running', 'waiting', 'completed', 'failed', 'cancelled'];

export class ListQuery {
  @ApiPropertyOptional()
  @Optional()
  @IsToken()
  workspaceId?: string;

  @ApiPropertyOptional()
  @Optional()
  @IsToken()
  sessionId?: string;

  @ApiPropertyOptional({ enum: STATUS })
  @Optional()
  @IsIn(STATUS)
  status?: string;

  @ApiPropertyOptional({ description: '`next` of the previous page' })
  @Optional()
  @IsToken()
  cursor?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 200, default: 50 })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;
}
