import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { defined, ReinsError } from '@reins/contracts';
import { type AgentProcessRow, listAgentProcesses } from '@reins/store';
import { Api } from '../http/api.ts';
import { ReadModel } from '../requests/read-model.ts';
import { between } from '../requests/request-view.ts';
import { withoutNulls } from '../requests/without-nulls.ts';
import { AgentProcessPage, AgentProcessQuery, type AgentProcessView } from './agent-processes.dto.ts';

/** Answers which runtime ran which stage, of requests and of their child runs. */
@Api('requests')
export class AgentProcessesController {
  constructor(private readonly model: ReadModel) {}

  @Get('agent-processes')
  @ApiOperation({ summary: 'List which runtime ran which stage, newest first' })
  @ApiOkResponse({ type: AgentProcessPage })
  async list(@Query() { limit = 50, cursor, state, ...filter }: AgentProcessQuery): Promise<AgentProcessPage> {
    const page = { limit: limit + 1, ...defined({ before: cursor }) };
    const found = await this.model.query((db) =>
      listAgentProcesses(db, { ...filter, ...page, ...defined({ status: state }) }),
    );
    if (!found.ok)
      throw new ReinsError({ code: 'service_unavailable', message: `Postgres is unavailable: ${found.reason}` });
    const rows = found.value.slice(0, limit);
    const last = rows.at(-1);
    const more = found.value.length > limit && last !== undefined;
    return { agentProcesses: rows.map(viewOf), ...(more && { next: last.first_seq }) };
  }
}

function viewOf(row: AgentProcessRow): AgentProcessView {
  return {
    requestId: row.request_id,
    workspaceId: row.workspace_id,
    sessionId: row.session_id,
    effectId: row.effect_id,
    attempt: row.attempt,
    stage: row.stage,
    runtimeId: row.runtime_id,
    state: row.status,
    ...withoutNulls({
      parentRequestId: row.parent_request_id,
      rootRequestId: row.root_request_id,
      runtimeSource: row.runtime_source,
      directive: row.directive,
      hostId: row.host_id,
      requestedAt: row.requested_at,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      durationMs: between(row.started_at, row.ended_at),
    }),
  };
}
