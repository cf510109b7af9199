import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type JsonValue, STAGES } from '@reins/contracts';
import { ANY_JSON } from '../http/any-json.ts';

export const STAGE_STATUS = ['requested', 'running', 'waiting', 'completed', 'failed', 'cancelled'];

export class UsageView {
  @ApiProperty()
  inputTokens!: number;

  @ApiProperty()
  cachedInputTokens!: number;

  @ApiProperty()
  outputTokens!: number;

  @ApiPropertyOptional({
    description: 'absent before the first model call, and if the price of a model that was called is unknown',
  })
  costUsd?: number;

  @ApiPropertyOptional({
    enum: ['reported', 'estimated', 'unknown'],
    description:
      'whether providers reported all tokens of the sum, or some are estimated or unknown; absent before the first report',
  })
  source?: 'reported' | 'estimated' | 'unknown';

  @ApiPropertyOptional()
  provider?: string;

  @ApiPropertyOptional()
  model?: string;
}

export class QueueView {
  @ApiProperty({ description: '1 for the stage that gets the next free slot of its runtime' })
  position!: number;

  @ApiProperty({ description: 'slots of all live hosts of the runtime; 0 while the stage waits for a host to appear' })
  slots!: number;

  @ApiPropertyOptional({
    description:
      'estimated milliseconds until the stage gets a slot, from the duration of recent stages; absent if unknown',
  })
  estimatedWaitMs?: number;
}

/** One attempt of a stage run. */
export class StageRunView {
  @ApiProperty({ description: 'the run of the stage: the request, or a child run' })
  requestId!: string;

  @ApiPropertyOptional({ description: 'the run that waits for this child run' })
  parentRequestId?: string;

  @ApiProperty()
  effectId!: string;

  @ApiProperty({ enum: STAGES })
  stage!: string;

  @ApiProperty()
  attempt!: number;

  @ApiProperty({ description: 'the runtime that ran the stage' })
  runtimeId!: string;

  @ApiPropertyOptional({ enum: ['request', 'stage', 'default', 'fallback'] })
  runtimeSource?: string;

  @ApiPropertyOptional({ description: 'the control directive that started the stage run' })
  directive?: string;

  @ApiProperty({ enum: STAGE_STATUS })
  status!: string;

  @ApiPropertyOptional({ type: QueueView, description: 'while the stage waits for a host: its place in the queue' })
  queue?: QueueView;

  @ApiPropertyOptional({
    description:
      'until the stage run ends: the step of its preparation, or the model call that has had no response for ten seconds',
  })
  progress?: string;

  @ApiPropertyOptional()
  hostId?: string;

  @ApiPropertyOptional({ description: 'the tree at the start' })
  inputTree?: string;

  @ApiPropertyOptional({ description: 'the tree at the end' })
  tree?: string;

  @ApiPropertyOptional(ANY_JSON)
  output?: JsonValue;

  @ApiPropertyOptional(ANY_JSON)
  verdict?: JsonValue;

  @ApiPropertyOptional(ANY_JSON)
  question?: JsonValue;

  @ApiPropertyOptional(ANY_JSON)
  error?: JsonValue;

  @ApiPropertyOptional()
  outcome?: string;

  @ApiPropertyOptional({ ...ANY_JSON, description: 'milliseconds by step' })
  timings?: JsonValue;

  @ApiPropertyOptional({ type: UsageView })
  usage?: UsageView;

  @ApiPropertyOptional({ format: 'date-time' })
  requestedAt?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  startedAt?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  endedAt?: string;

  @ApiPropertyOptional({ description: 'absent for a stage that the run shares with another request' })
  durationMs?: number;

  @ApiPropertyOptional({
    description:
      'the request that ran the stage, if this run was forked from it and shares the stage; its times are those of the fork',
  })
  sharedFrom?: string;
}
