import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonValue } from '@reins/contracts';
import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsNotEmpty, IsString, MaxLength, ValidateNested } from 'class-validator';
import { ANY_JSON } from '../http/any-json.ts';
import { IsBoundedJson, Optional } from '../http/rules.ts';
import { Untransformed } from '../http/validation.ts';

/** Why something is done, for those who read of it later. */
export class ReasonRequest {
  @ApiPropertyOptional({ maxLength: 1000 })
  @Optional()
  @IsString()
  @MaxLength(1000)
  reason?: string;
}

export class HaltRequest extends ReasonRequest {
  @ApiPropertyOptional({ ...ANY_JSON, description: 'the output of the request' })
  @Optional()
  @Untransformed()
  @IsBoundedJson()
  output?: JsonValue;
}

export class AssignRequest extends ReasonRequest {
  @ApiProperty({
    maxLength: 500,
    description: 'code of its workspace, `<path>#<export>`, or a process that is built in',
    example: 'process/main.ts#process',
  })
  @IsString()
  @IsNotEmpty()
  @MaxLength(500)
  process!: string;

  @ApiPropertyOptional({ ...ANY_JSON, description: 'in place of the input that the request was submitted with' })
  @Optional()
  @Untransformed()
  @IsBoundedJson()
  inputs?: JsonValue;

  @ApiPropertyOptional({ default: false, description: 'also where it has a process: what that asked for is cancelled' })
  @Optional()
  @IsBoolean()
  force?: boolean;
}

export class SignalRequest {
  @ApiProperty({ maxLength: 200, description: 'the name that the process waits for, or will' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  name!: string;

  @ApiPropertyOptional(ANY_JSON)
  @Optional()
  @Untransformed()
  @IsBoundedJson()
  payload?: JsonValue;
}

export class TaskError {
  @ApiProperty({ maxLength: 100, example: 'build_failed' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  code!: string;

  @ApiProperty({ maxLength: 10_000 })
  @IsString()
  @MaxLength(10_000)
  message!: string;
}

/** How a task ended: its value, or its error. */
export class TaskAnswerRequest {
  @ApiPropertyOptional({ ...ANY_JSON, description: 'what the process gets; null without it' })
  @Optional()
  @Untransformed()
  @IsBoundedJson()
  value?: JsonValue;

  @ApiPropertyOptional({ type: TaskError, description: 'in place of a value: the task failed' })
  @Optional()
  @ValidateNested()
  @Type(() => TaskError)
  error?: TaskError;
}

export class DecisionRequest {
  @ApiProperty({ enum: ['approved', 'denied'] })
  @IsIn(['approved', 'denied'])
  decision!: 'approved' | 'denied';

  @ApiPropertyOptional({ maxLength: 10_000 })
  @Optional()
  @IsString()
  @MaxLength(10_000)
  comment?: string;
}
