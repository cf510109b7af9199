import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonValue } from '@reins/contracts';
import { Transform, Type } from 'class-transformer';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { Field } from '../http/field.ts';
import { Optional } from '../http/rules.ts';

export const INCLUDABLE = ['deltas', 'views'] as const;

/** The query of an event page or stream. */
export class EventsQuery {
  @Field({
    default: 0,
    description: 'only events after this log sequence; streams resume with `Last-Event-ID`',
  })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  after?: number;

  @Field({ default: 100, description: 'page size' })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1000)
  limit?: number;

  @Field({
    description:
      'streams only, separated by commas: `deltas` (output while it is written), `views` (tool progress and narration with the event names of stable-harness). Default: `deltas`; empty: neither',
    type: 'string',
    pattern: '^((deltas|views)(,(deltas|views))*)?$',
    example: 'deltas,views',
  })
  @Optional()
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.split(',').filter((item) => item !== '') : value,
  )
  @IsIn(INCLUDABLE, { each: true })
  include?: (typeof INCLUDABLE)[number][];
}

export class EventView {
  @ApiProperty({ description: 'sequence in the log; used as cursor' })
  seq!: number;

  @ApiProperty({ description: 'the CloudEvents id' })
  id!: string;

  @ApiProperty()
  type!: string;

  @ApiProperty()
  source!: string;

  @ApiProperty({ format: 'date-time' })
  time!: string;

  @ApiPropertyOptional({ description: 'facts only: the version of the journal entry that caused it' })
  version?: number;

  @ApiPropertyOptional({ description: 'the id of the event that caused it' })
  causation?: string;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'the event, see docs/events.md' })
  body!: JsonValue;
}

export class EventPage {
  @ApiProperty({ type: [EventView] })
  events!: EventView[];

  @ApiProperty({ description: 'value of `after` for the next page' })
  next!: number;

  @ApiProperty({ description: 'whether there are more events now' })
  more!: boolean;
}
