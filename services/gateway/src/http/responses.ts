import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** One problem of an error response. */
export class ProblemItem {
  @ApiProperty({ description: 'stable error code' })
  code!: string;

  @ApiProperty()
  message!: string;

  @ApiPropertyOptional({ description: 'the field, file or subject with the problem' })
  path?: string;

  @ApiPropertyOptional({ description: 'what to do' })
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
