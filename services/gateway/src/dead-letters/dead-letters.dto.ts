import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ProblemItem } from '../http/responses.ts';

/** A command that was accepted but failed. */
export class DeadLetterView {
  @ApiProperty({ description: 'sequence number; `reins dead redrive <seq>` publishes the command again' })
  seq!: number;

  @ApiProperty({ format: 'date-time', description: 'when it was dead-lettered' })
  time!: string;

  @ApiProperty({ description: 'type of the command, such as `command.signal`' })
  type!: string;

  @ApiPropertyOptional({ description: 'idempotency key from the response to the call' })
  idempotencyKey?: string;

  @ApiPropertyOptional({ description: 'person or key that sent the command, if known' })
  requestedBy?: string;

  @ApiProperty({ description: 'number of deliveries' })
  deliveries!: number;

  @ApiProperty({ type: ProblemItem })
  problem!: ProblemItem;
}

export class DeadLetterList {
  @ApiProperty({ type: [DeadLetterView], description: 'oldest first, at most the first 100 of each type' })
  deadLetters!: DeadLetterView[];
}
