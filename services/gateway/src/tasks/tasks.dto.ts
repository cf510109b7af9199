import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonObject, JsonValue } from '@reins/contracts';
import { ANY_JSON } from '../http/any-json.ts';

/** Work that the process of a request asked for and that someone outside does. */
export class TaskView {
  @ApiProperty()
  effectId!: string;

  @ApiProperty({ description: 'goes back with a worker’s answer' })
  attempt!: number;

  @ApiProperty({ description: 'the process’s own word for it, or `orchestrator_task` or `hook`' })
  kind!: string;

  @ApiProperty()
  taskId!: string;

  @ApiProperty({ enum: ['pending', 'completed', 'failed'] })
  status!: 'pending' | 'completed' | 'failed';

  @ApiPropertyOptional()
  label?: string;

  @ApiPropertyOptional(ANY_JSON)
  args?: JsonValue;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true, description: 'what the process says about it' })
  definition?: JsonObject;

  @ApiPropertyOptional({ format: 'date-time', description: 'by when it must be answered' })
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
  @ApiProperty({ type: [TaskView], description: 'in the order in which they were asked for' })
  tasks!: TaskView[];
}
