import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Optional } from '../http/rules.ts';
import { Satisfies } from '../http/validation.ts';
import { isMediaType } from './media-type.ts';

const NAME_PATTERN = '^[^/\\\\\\u0000-\\u001f]{1,200}$';
const NAME = new RegExp(NAME_PATTERN, 'u');

/** The name that a user knows a file by. */
export const IsFileName = (): PropertyDecorator =>
  Satisfies(
    (value) => typeof value === 'string' && NAME.test(value),
    'a file name of 1 to 200 characters without a folder',
  );

export const IsMediaType = (): PropertyDecorator =>
  Satisfies(isMediaType, 'a media type such as image/png, of at most 200 characters');

/** What an uploaded file is. */
export class AttachmentQuery {
  @ApiProperty({ pattern: NAME_PATTERN, example: 'report.pdf' })
  @IsFileName()
  name!: string;

  @ApiPropertyOptional({ maxLength: 200, description: 'by default what files of this name usually are' })
  @Optional()
  @IsMediaType()
  mediaType?: string;
}

/** A stored attachment, as `attachments` of a request takes it. */
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
