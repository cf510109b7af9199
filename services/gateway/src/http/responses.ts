import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** One problem of the error taxonomy. */
export class ProblemItem {
  @ApiProperty({ description: 'stable: part of the interface' })
  code!: string;

  @ApiProperty()
  message!: string;

  @ApiPropertyOptional({ description: 'the field, file or subject that is meant' })
  path?: string;

  @ApiPropertyOptional({ description: 'what to do about it' })
  hint?: string;
}

/** `application/problem+json` (RFC 9457). */
export class ProblemResponse {
  @ApiProperty({ example: 'urn:reins:problem:request_invalid' })
  type!: string;

  @ApiProperty()
  title!: string;

  @ApiProperty()
  status!: number;

  @ApiProperty()
  code!: string;

  @ApiProperty()
  detail!: string;

  @ApiPropertyOptional()
  path?: string;

  @ApiPropertyOptional()
  hint?: string;

  @ApiProperty({ type: [ProblemItem] })
  errors!: ProblemItem[];
}
