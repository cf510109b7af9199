import { expect, test } from '@jest/globals';
import { ArrayMaxSize, IsArray, IsIn, IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { Field } from './field.ts';
import { IsToken, Optional } from './rules.ts';

class Example {
  @Field({ description: 'an id' })
  @IsToken()
  id!: string;

  @Field({ default: 50 })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;

  @Field()
  @IsString()
  @IsNotEmpty()
  @MaxLength(9)
  name!: string;

  @Field()
  @Optional()
  @IsIn(['a', 'b'])
  kind?: string;

  @Field({ type: [String] })
  @IsArray()
  @ArrayMaxSize(3)
  @IsIn(['a', 'b'], { each: true })
  kinds!: string[];
}

const described = (property: string): unknown =>
  Reflect.getMetadata('swagger/apiModelProperties', Example.prototype, property);

test('a field is described by the rules that validate it', () => {
  expect(described('id')).toMatchObject({ required: true, description: 'an id', pattern: '^[A-Za-z0-9_-]{1,64}$' });
  expect(described('limit')).toMatchObject({ required: false, type: 'integer', minimum: 1, maximum: 200, default: 50 });
  expect(described('name')).toMatchObject({ required: true, minLength: 1, maxLength: 9 });
  expect(described('kind')).toMatchObject({ required: false, enum: ['a', 'b'] });
});

test('a rule for each item does not describe the list', () => {
  expect(described('kinds')).toMatchObject({ isArray: true, maxItems: 3 });
  expect(described('kinds')).not.toHaveProperty('enum');
});
