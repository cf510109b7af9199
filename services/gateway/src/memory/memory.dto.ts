import type { JsonValue } from '@reins/contracts';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { ANY_JSON } from '../http/any-json.ts';
import { Field } from '../http/field.ts';
import { IsBoundedJson, IsTime, IsToken, Optional } from '../http/rules.ts';
import { Untransformed } from '../http/validation.ts';

const NAMESPACE = {
  description: '`user/<user>`, `workspace/<workspace>`, `agent/<workspace>/<agent>` or `session/<workspace>/<session>`',
  example: 'user/ann',
} as const;
const KINDS = ['fact', 'preference', 'procedure', 'episode', 'profile', 'session'];
const SENSITIVITIES = ['public', 'internal', 'personal'];
const STATUSES = ['active', 'superseded', 'forgotten', 'any'];

/** The person who changes memory. */
class MemoryChange {
  @Field({ description: 'the person who asks for the change; recorded with the name of the key' })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  requestedBy?: string;
}

export class AddRecord extends MemoryChange {
  @Field(NAMESPACE)
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  namespace!: string;

  @Field({ default: 'fact' })
  @Optional()
  @IsIn(KINDS)
  kind?: string;

  @Field({ example: 'Deploys on Fridays' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(4000)
  text!: string;

  @Field(ANY_JSON)
  @Optional()
  @Untransformed()
  @IsBoundedJson()
  data?: JsonValue;

  @Field({ description: 'what or who the record is about' })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  subject?: string;

  @Field({ default: 1 })
  @Optional()
  @IsNumber()
  @Min(0)
  @Max(1)
  confidence?: number;

  @Field({ description: 'start of the validity of the record' })
  @Optional()
  @IsTime()
  validFrom?: string;

  @Field({ description: 'end of the validity of the record' })
  @Optional()
  @IsTime()
  validUntil?: string;

  @Field({ description: 'the record that this one replaces' })
  @Optional()
  @IsToken()
  supersedes?: string;

  @Field({ description: 'default: `personal` in the namespace of a user, otherwise `internal`' })
  @Optional()
  @IsIn(SENSITIVITIES)
  sensitivity?: 'public' | 'internal' | 'personal';
}

export class EditRecord extends MemoryChange {
  @Field()
  @IsString()
  @IsNotEmpty()
  @MaxLength(4000)
  text!: string;
}

export class RateRecord extends MemoryChange {
  @Field({ description: 'whether the record was useful' })
  @IsBoolean()
  useful!: boolean;
}

export class ForgetRecord extends MemoryChange {
  @Field()
  @Optional()
  @IsString()
  @MaxLength(1000)
  reason?: string;
}

export class RecordQuery {
  @Field(NAMESPACE)
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  namespace?: string;

  @Field()
  @Optional()
  @IsIn(KINDS)
  kind?: string;

  @Field({ default: 'active' })
  @Optional()
  @IsIn(STATUSES)
  status?: 'active' | 'superseded' | 'forgotten' | 'any';

  @Field({ description: 'only records that match: words, "phrases", `or` and `-excluded` words' })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(1000)
  query?: string;

  @Field({ description: '`next` of the previous page' })
  @Optional()
  @IsToken()
  cursor?: string;

  @Field({ default: 50 })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;
}

export class RecallRequest {
  @Field({ ...NAMESPACE, type: [String], example: ['user/ann'] })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(8)
  @IsString({ each: true })
  namespaces!: string[];

  @Field({ description: 'a sentence or some words; empty: the most important and newest records' })
  @IsString()
  @MaxLength(4000)
  query!: string;

  @Field({ default: 8 })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(50)
  limit?: number;
}
