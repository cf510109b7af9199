import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { IsToken } from '../http/rules.ts';

const STATUS = ['running', 'waiting', 'completed', 'failed', 'cancelled'];

export class ListQuery {
  @ApiPropertyOptional()
  @IsOptional()
  @IsToken()
  workspaceId?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsToken()
  sessionId?: string;

  @ApiPropertyOptional({ enum: STATUS })
  @IsOptional()
  @IsIn(STATUS)
  status?: string;

  @ApiPropertyOptional({ description: '`next` of the page before' })
  @IsOptional()
  @IsToken()
  cursor?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: 200, default: 50 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;
}
