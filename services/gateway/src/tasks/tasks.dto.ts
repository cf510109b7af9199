import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonObject, JsonValue } from '@reins/contracts';
import { ANY_JSON } from '../http/any-json.ts';

/** Work that the process of a request requested from the outside. */
export class TaskView {
  @ApiProperty()
  effectId!: string;

  @ApiProperty({ description: 'attempt number; workers return it with their answer' })
  attempt!: number;

  @ApiProperty({ description: 'the kind that the process defined, or `orchestrator_task` or `hook`' })
  kind!: string;

  @ApiProperty()
  taskId!: string;

  @ApiProperty({ enum: ['pending', 'completed', 'failed'] })
  status!: 'pending' | 'completed' | 'failed';

  @ApiPropertyOptional()
  label?: string;

  @ApiPropertyOptional(ANY_JSON)
  args?: JsonValue;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'the task definition of the process',
  })
  definition?: JsonObject;

  @ApiPropertyOptional({ format: 'date-time', description: 'deadline of the answer' })
  deadline?: string;

  @ApiPropertyOptional(ANY_JSON)
  value?: JsonValue;

  @ApiPropertyOptional({
    type: 'object',
    properties: { code: { type: 'string' }, message: { type: 'string' } },
    required: ['code', 'message'],
  })
  error?: { code: string; message: string };
}

export class TaskList {
  @ApiProperty({ type: [TaskView], description: 'by the time of their requests, oldest first' })
  tasks!: TaskView[];
}
