import type { JsonValue } from '@reins/contracts';
import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsNotEmpty, IsString, MaxLength, Min, ValidateNested } from 'class-validator';
import { ANY_JSON } from '../http/any-json.ts';
import { Field } from '../http/field.ts';
import { IsBoundedJson, IsSha256, IsToken, Optional } from '../http/rules.ts';
import { Untransformed } from '../http/validation.ts';

/** The reason of a command, for the record. */
export class ReasonRequest {
  @Field()
  @Optional()
  @IsString()
  @MaxLength(1000)
  reason?: string;

  @Field({ description: 'the person who sends the command; recorded with the name of the key' })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  requestedBy?: string;
}

export class HaltRequest extends ReasonRequest {
  @Field({ ...ANY_JSON, description: 'the output of the request' })
  @Optional()
  @Untransformed()
  @IsBoundedJson()
  output?: JsonValue;
}

export class AssignRequest extends ReasonRequest {
  @Field({
    description: 'a process of the workspace (`<path>#<export>`), or a built-in one',
    example: 'process/main.ts#process',
  })
  @IsString()
  @IsNotEmpty()
  @MaxLength(500)
  process!: string;

  @Field({ ...ANY_JSON, description: 'replaces the input of the request' })
  @Optional()
  @Untransformed()
  @IsBoundedJson()
  inputs?: JsonValue;

  @Field({
    default: false,
    description: 'replace an assigned process; its pending effects are cancelled',
  })
  @Optional()
  @IsBoolean()
  force?: boolean;

  @Field({
    description:
      'the workspace revision with the code; if the request already has this process, it continues with this code, provided that the code matches its history',
  })
  @Optional()
  @IsSha256()
  revision?: string;
}

export class SignalRequest {
  @Field({ description: 'the name that the process waits for' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  name!: string;

  @Field(ANY_JSON)
  @Optional()
  @Untransformed()
  @IsBoundedJson()
  payload?: JsonValue;
}

export class TaskError {
  @Field({ example: 'build_failed' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  code!: string;

  @Field()
  @IsString()
  @MaxLength(10_000)
  message!: string;
}

/** The result of a task: a value or an error. */
export class TaskAnswerRequest {
  @Field({ ...ANY_JSON, description: 'the value for the process; default: null' })
  @Optional()
  @Untransformed()
  @IsBoundedJson()
  value?: JsonValue;

  @Field({ type: TaskError, description: 'the error of a failed task, instead of a value' })
  @Optional()
  @ValidateNested()
  @Type(() => TaskError)
  error?: TaskError;

  @Field({ description: 'the person who answers; recorded with the name of the key' })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  answeredBy?: string;
}

export class AnswerRequest {
  @Field({
    description: 'the waiting effect: `waiting.effectId` of the request',
  })
  @IsToken()
  effectId!: string;

  @Field({
    ...ANY_JSON,
    description: 'of a breakpoint: `approve`, `deny`, or {`approved`: boolean, `feedback`: text}',
  })
  @Untransformed()
  @IsBoundedJson()
  answer!: JsonValue;

  @Field({
    description:
      'the question: `waiting.questionNumber` of the request; default: the question that is open when the call arrives',
  })
  @Optional()
  @IsInt()
  @Min(1)
  questionNumber?: number;

  @Field({ description: 'the person who answers; recorded with the name of the key' })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  answeredBy?: string;
}

export class DecisionRequest {
  @Field()
  @IsIn(['approved', 'denied'])
  decision!: 'approved' | 'denied';

  @Field()
  @Optional()
  @IsString()
  @MaxLength(10_000)
  comment?: string;

  @Field({ description: 'the person who decides; recorded with the name of the key' })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  decidedBy?: string;
}
