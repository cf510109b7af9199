import { ApiProperty } from '@nestjs/swagger';
import { Field } from '../http/field.ts';
import { Optional } from '../http/rules.ts';
import { Satisfies } from '../http/validation.ts';
import { isMediaType } from './media-type.ts';

const NAME_PATTERN = '^[^/\\\\\\u0000-\\u001f]{1,200}$';
const NAME = new RegExp(NAME_PATTERN, 'u');

export const isFileName = (value: unknown): boolean => typeof value === 'string' && NAME.test(value);

/** The file name, as users see it. */
export const IsFileName = (): PropertyDecorator =>
  Satisfies(isFileName, 'a file name of 1 to 200 characters without a folder', { pattern: NAME_PATTERN });

export const IsMediaType = (): PropertyDecorator =>
  Satisfies(isMediaType, 'a media type such as image/png, of at most 200 characters', { maxLength: 200 });

/** The query of an attachment upload. */
export class AttachmentQuery {
  @Field({ example: 'report.pdf' })
  @IsFileName()
  name!: string;

  @Field({ description: 'default: derived from the file name' })
  @Optional()
  @IsMediaType()
  mediaType?: string;
}

/** A stored attachment, in the form of an entry of `attachments` of a request. */
export class StoredAttachment {
  @ApiProperty()
  sha256!: string;

  @ApiProperty()
  size!: number;

  @ApiProperty()
  mediaType!: string;

  @ApiProperty()
  name!: string;
}
