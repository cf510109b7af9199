import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonValue, MemorySource } from '@reins/contracts';
import { ANY_JSON } from '../http/any-json.ts';

class RecordSource {
  @ApiPropertyOptional()
  requestId?: string;

  @ApiPropertyOptional()
  effectId?: string;

  @ApiPropertyOptional()
  tool?: string;

  @ApiPropertyOptional({ description: 'the name of the API key, with the person if the call named one' })
  person?: string;
}

class RatingsView {
  @ApiProperty()
  useful!: number;

  @ApiProperty()
  useless!: number;
}

export class RecordView {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  namespace!: string;

  @ApiProperty({ enum: ['fact', 'preference', 'procedure', 'episode', 'profile', 'session'] })
  kind!: string;

  @ApiProperty({ enum: ['active', 'superseded', 'forgotten'] })
  status!: string;

  @ApiPropertyOptional({ description: 'absent in a forgotten record' })
  text?: string;

  @ApiPropertyOptional(ANY_JSON)
  data?: JsonValue;

  @ApiPropertyOptional({ type: RecordSource, description: 'who wrote the record; of a forgotten one, who forgot it' })
  source?: MemorySource;

  @ApiPropertyOptional()
  subject?: string;

  @ApiPropertyOptional()
  confidence?: number;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  validFrom?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  validUntil?: string;

  @ApiPropertyOptional()
  supersedes?: string;

  @ApiPropertyOptional()
  supersededBy?: string;

  @ApiPropertyOptional({ enum: ['public', 'internal', 'personal'] })
  sensitivity?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  forgottenAt?: string;

  @ApiPropertyOptional({ description: 'why it was forgotten' })
  reason?: string;

  @ApiPropertyOptional({ type: RatingsView, description: 'how many people rated it; absent if no one has' })
  ratings?: RatingsView;
}

export class RecordPage {
  @ApiProperty({ type: [RecordView] })
  records!: RecordView[];

  @ApiPropertyOptional({ description: '`cursor` of the next page; absent on the last page' })
  next?: string;
}

export class RecordHistory {
  @ApiProperty({ type: [RecordView], description: 'all versions of the record, oldest first' })
  records!: RecordView[];
}

export class DecisionView {
  @ApiProperty({
    enum: ['accepted', 'superseded', 'duplicate'],
    description: '`duplicate`: nothing was written; `record` already says the same',
  })
  decision!: string;

  @ApiProperty({ type: RecordView })
  record!: RecordView;
}

export class ForgottenView {
  @ApiProperty({ type: [String], description: 'empty if the record was forgotten before' })
  recordIds!: string[];
}

class NamespaceView {
  @ApiProperty()
  namespace!: string;

  @ApiProperty()
  active!: number;

  @ApiProperty()
  superseded!: number;

  @ApiProperty()
  forgotten!: number;
}

export class NamespaceList {
  @ApiProperty({ type: [NamespaceView], description: 'by name' })
  namespaces!: NamespaceView[];
}

export class MemoryVerificationView {
  @ApiProperty({ description: 'last sequence of the stream MEMORY that was compared' })
  seq!: number;

  @ApiProperty({ description: 'number of records that follow from the stream' })
  records!: number;

  @ApiProperty({ type: [String], description: 'ids of records that differ, at most 100' })
  differences!: string[];
}

class RecallSignals {
  @ApiProperty({ description: "the share of the query's words that the record has; rare words count more" })
  text!: number;

  @ApiProperty({ description: 'the share of the names and numbers of the query that the record has' })
  entities!: number;

  @ApiProperty({ description: '1 for a new record; it halves every 30 days' })
  recency!: number;

  @ApiProperty({ description: 'that of the kind of the record, times its confidence' })
  importance!: number;

  @ApiProperty({ description: 'how different the record is from the better ones before it' })
  diversity!: number;

  @ApiProperty({ description: 'the share of people who rated it as useful; 0.5 if no one has rated it' })
  usage!: number;
}

class RecalledView {
  @ApiProperty({ type: RecordView })
  record!: RecordView;

  @ApiProperty({ description: 'from 0 to 1' })
  score!: number;

  @ApiProperty({ type: RecallSignals })
  signals!: RecallSignals;
}

export class RecallView {
  @ApiProperty({ type: [RecalledView], description: 'best first' })
  recalled!: RecalledView[];
}

class RecalledNamespace {
  @ApiProperty()
  namespace!: string;

  @ApiProperty({ type: [String] })
  recordIds!: string[];

  @ApiProperty({ description: 'the text that the stages got; empty if no record mattered' })
  context!: string;

  @ApiPropertyOptional({ description: 'number of records that mattered, but did not fit' })
  omitted?: number;

  @ApiProperty({ format: 'date-time' })
  recalledAt!: string;
}

class RecallError {
  @ApiProperty()
  code!: string;

  @ApiProperty()
  message!: string;
}

class FailedRecall {
  @ApiPropertyOptional({ description: 'as requested' })
  namespace?: string;

  @ApiProperty({ type: RecallError })
  error!: RecallError;

  @ApiProperty({ format: 'date-time' })
  failedAt!: string;
}

export class RequestMemory {
  @ApiProperty({ type: [RecalledNamespace] })
  recalled!: RecalledNamespace[];

  @ApiProperty({ type: [FailedRecall], description: 'recalls without which the request continued' })
  failed!: FailedRecall[];
}
