import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type JsonValue } from '@reins/contracts';
import { ANY_JSON } from '../http/any-json.ts';
import { StageRunView, UsageView } from './stage-run.responses.ts';
import { KeptSignalView, WaitingView, WaitView } from './wait.responses.ts';

const REQUEST_STATUS = ['accepted', 'running', 'waiting', 'completed', 'failed', 'cancelled'];
export class AcceptedResponse {
  @ApiProperty()
  requestId!: string;

  @ApiProperty()
  sessionId!: string;

  @ApiProperty()
  workspaceId!: string;

  @ApiProperty()
  revision!: string;

  @ApiProperty({ enum: ['accepted'] })
  status!: 'accepted';

  @ApiProperty({ description: 'URL of the request' })
  url!: string;

  @ApiProperty({ description: 'URL of the events, as pages or as a stream' })
  eventsUrl!: string;
}

/** A command was accepted and is stored. */
export class CommandResponse {
  @ApiProperty()
  requestId!: string;

  @ApiProperty({
    example: 'cancelling',
    description:
      '`not_pending`: the run does not wait for the effect; `queued`: nothing waits for the signal yet; `not_paused`: there is nothing to resume',
  })
  status!: string;

  @ApiPropertyOptional({
    description: 'why the status is `not_pending`, `queued` or `not_paused`, or what a resume does',
  })
  message?: string;

  @ApiProperty({ description: 'identifies the command in the journal and in dead letters' })
  idempotencyKey!: string;
}

export class RequestSummary {
  @ApiProperty()
  requestId!: string;

  @ApiProperty()
  workspaceId!: string;

  @ApiProperty()
  sessionId!: string;

  @ApiProperty()
  agentId!: string;

  @ApiProperty({ enum: REQUEST_STATUS })
  status!: string;

  @ApiPropertyOptional({ description: 'of a child run: the run that waits for it' })
  parentRequestId?: string;

  @ApiPropertyOptional({ type: () => [RequestSummary], description: 'its child runs, in start order' })
  children?: RequestSummary[];

  @ApiPropertyOptional({ description: 'the process or an operator halted the run' })
  halted?: boolean;

  @ApiPropertyOptional({ description: 'why it was halted' })
  haltReason?: string;

  @ApiPropertyOptional({ description: 'who halted it: the name of the API key, with the person if the call named one' })
  haltedBy?: string;

  @ApiPropertyOptional({ description: 'the request that this one retries' })
  retryOf?: string;

  @ApiPropertyOptional({ type: [String], description: 'the requests that retry this one, oldest first' })
  retriedBy?: string[];

  @ApiPropertyOptional({ type: WaitingView, description: 'what the request waits for; one of its waits' })
  waiting?: WaitingView;

  @ApiPropertyOptional({ description: 'in lists: what a running stage of the request waits for' })
  progress?: string;

  @ApiPropertyOptional({ description: 'the first line of the input, at most 120 characters' })
  inputLine?: string;

  @ApiPropertyOptional({ description: 'the tree at the start' })
  revision?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  acceptedAt?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  startedAt?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  endedAt?: string;

  @ApiPropertyOptional()
  durationMs?: number;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

/** Why the messages of a request keep failing. */
export class ParkedView {
  @ApiProperty({ description: 'the code of the last error' })
  code!: string;

  @ApiProperty({ description: 'the message of the last error' })
  message!: string;

  @ApiProperty({ format: 'date-time' })
  since!: string;
}

/** An MCP server that stages ran without. */
export class UnavailableServerView {
  @ApiProperty()
  serverId!: string;

  @ApiProperty({ description: 'why, and which tools it offers if it lacks some' })
  reason!: string;

  @ApiProperty({ type: [String], description: 'the tools that were missing' })
  missingToolIds!: string[];
}

export class ArtifactView {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  path!: string;

  @ApiProperty()
  mediaType!: string;

  @ApiProperty()
  bytes!: number;

  @ApiProperty()
  sha256!: string;

  @ApiProperty()
  ref!: string;
}

export class ApprovalView {
  @ApiProperty()
  approvalId!: string;

  @ApiProperty({ enum: ['requested', 'approved', 'denied', 'expired'] })
  status!: string;

  @ApiPropertyOptional(ANY_JSON)
  subject?: JsonValue;

  @ApiPropertyOptional({ format: 'date-time' })
  requestedAt?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  expiresAt?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  resolvedAt?: string;

  @ApiPropertyOptional()
  decidedBy?: string;

  @ApiPropertyOptional()
  comment?: string;
}

export class RequestView extends RequestSummary {
  @ApiPropertyOptional(ANY_JSON)
  input?: JsonValue;

  @ApiPropertyOptional(ANY_JSON)
  output?: JsonValue;

  @ApiPropertyOptional(ANY_JSON)
  error?: JsonValue;

  @ApiPropertyOptional()
  cancelReason?: string;

  @ApiPropertyOptional({
    description: 'who cancelled it: the name of the API key, with the person if the call named one',
  })
  cancelledBy?: string;

  @ApiPropertyOptional({ description: 'the tree of the last completed stage of the request or a child run' })
  tree?: string;

  @ApiPropertyOptional({ type: ParkedView, description: 'while its messages keep failing: why, and since when' })
  parked?: ParkedView;

  @ApiProperty({ type: [StageRunView], description: 'with those of child runs, in start order' })
  stages!: StageRunView[];

  @ApiProperty({ type: UsageView, description: 'with that of child runs' })
  usage!: UsageView;

  @ApiProperty({ type: [ArtifactView], description: 'with those of child runs' })
  artifacts!: ArtifactView[];

  @ApiProperty({ type: [ApprovalView] })
  approvals!: ApprovalView[];

  @ApiProperty({
    type: [WaitView],
    description: 'what it and its child runs wait for, oldest first; at most 100',
  })
  waits!: WaitView[];

  @ApiPropertyOptional({ description: 'how many waits there are, if `waits` does not have them all' })
  waitCount?: number;

  @ApiPropertyOptional({
    type: [KeptSignalView],
    description: 'signals that nothing waited for when they arrived; at most 20 names',
  })
  keptSignals?: KeptSignalView[];

  @ApiPropertyOptional({
    type: [UnavailableServerView],
    description: 'MCP servers that its stages, or those of child runs, ran without, or without some of their tools',
  })
  unavailableServers?: UnavailableServerView[];
}

export class RequestPage {
  @ApiProperty({ type: [RequestSummary], description: 'newest first; a child run is within its parent' })
  requests!: RequestSummary[];

  @ApiPropertyOptional({ description: 'the cursor of the next page; absent on the last one' })
  next?: string;
}
