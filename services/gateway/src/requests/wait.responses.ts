import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type JsonValue } from '@reins/contracts';
import { ANY_JSON } from '../http/any-json.ts';

export class WaitingView {
  @ApiProperty({ description: 'user, approval, breakpoint, task, timer, budget, signal, child, operator or process' })
  reason!: string;

  @ApiProperty()
  effectId!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  expiresAt?: string;

  @ApiPropertyOptional({ ...ANY_JSON, description: 'the question of a stage or a breakpoint; not in lists' })
  question?: JsonValue;

  @ApiPropertyOptional({ description: 'number of the question of a stage; send it with the answer' })
  questionNumber?: number;

  @ApiPropertyOptional({ description: 'what the request waits for, in words' })
  message?: string;

  @ApiPropertyOptional({ description: 'the name of the signal' })
  signal?: string;

  @ApiPropertyOptional({ description: 'the label that the process gave to the task, timer, signal or child run' })
  label?: string;

  @ApiPropertyOptional({ description: 'the process that failed, as `<path>#<export>`' })
  process?: string;

  @ApiPropertyOptional({ ...ANY_JSON, description: 'the error of the process: `code`, `message`, `path`, `stack`' })
  error?: JsonValue;

  @ApiPropertyOptional({ description: 'who paused the request' })
  pausedBy?: string;
}

/** One of the things that a request or one of its child runs waits for. */
export class WaitView extends WaitingView {
  @ApiProperty({ description: 'the run that waits: the request, or a child run. Commands for this wait name it' })
  requestId!: string;

  @ApiProperty({ format: 'date-time' })
  since!: string;
}

/** Signals of one name that nothing waited for when they arrived. */
export class KeptSignalView {
  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'how many arrived' })
  count!: number;

  @ApiProperty({ format: 'date-time', description: 'when the first of them arrived' })
  since!: string;
}
