import { Type } from 'class-transformer';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { Field } from '../http/field.ts';
import { IsToken, Optional } from '../http/rules.ts';

const STATUS = ['running', 'waiting', 'completed', 'halted', 'failed', 'cancelled'];

export class ListQuery {
  @Field()
  @Optional()
  @IsToken()
  workspaceId?: string;

  @Field()
  @Optional()
  @IsToken()
  sessionId?: string;

  @Field({ description: '`halted`: the `completed` requests that the process or an operator halted' })
  @Optional()
  @IsIn(STATUS)
  status?: string;

  @Field({ description: '`next` of the previous page' })
  @Optional()
  @IsToken()
  cursor?: string;

  @Field({ default: 50 })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;
}
