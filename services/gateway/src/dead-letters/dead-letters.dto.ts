import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ProblemItem } from '../http/responses.ts';

/** A command that was accepted and could not be carried out. */
export class DeadLetterView {
  @ApiProperty({ description: 'its number: `reins dead redrive <seq>` sends it again' })
  seq!: number;

  @ApiProperty({ format: 'date-time', description: 'when it was given up' })
  time!: string;

  @ApiProperty({ description: 'such as `command.signal`' })
  type!: string;

  @ApiPropertyOptional({ description: 'what the call that sent it was answered with' })
  idempotencyKey?: string;

  @ApiProperty({ description: 'how often it was handed out before' })
  deliveries!: number;

  @ApiProperty({ type: ProblemItem })
  problem!: ProblemItem;
}

export class DeadLetterList {
  @ApiProperty({ type: [DeadLetterView], description: 'oldest first, at most the first 100 of each type' })
  deadLetters!: DeadLetterView[];
}
