import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonObject } from '@reins/contracts';

/** A control directive of a request or of one of its child runs. */
export class DirectiveView {
  @ApiProperty({ description: 'sequence number in the event log' })
  seq!: number;

  @ApiProperty({ format: 'date-time' })
  time!: string;

  @ApiProperty({ description: 'the run that emitted it: the request, or a child run' })
  requestId!: string;

  @ApiProperty({ example: 'continue' })
  directive!: string;

  @ApiProperty()
  isTerminal!: boolean;

  @ApiProperty({ enum: ['execution', 'execution_node'] })
  targetType!: string;

  @ApiProperty({ description: 'a run, or the effect of a stage' })
  targetId!: string;

  @ApiProperty()
  reason!: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'for a directive that starts a stage: `stage`, `runtime_id` and `runtime_source`',
  })
  extra?: JsonObject;
}

export class DirectiveList {
  @ApiProperty({ type: [DirectiveView], description: 'with those of child runs, oldest first' })
  directives!: DirectiveView[];
}
