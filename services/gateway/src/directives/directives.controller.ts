import { Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { LogItem } from '@reins/store';
import { RunLog } from '../events/run-log.ts';
import { GatewayService } from '../gateway.service.ts';
import { Api } from '../http/api.ts';
import { checkedId } from '../requests/requests.controller.ts';
import { DirectiveList, type DirectiveView } from './directives.dto.ts';

@Api('requests')
export class DirectivesController {
  constructor(
    private readonly gateway: GatewayService,
    private readonly log: RunLog,
  ) {}

  @Get('requests/:id/directives')
  @ApiOperation({ summary: 'List the control directives of a request and its child runs' })
  @ApiOkResponse({ type: DirectiveList })
  async list(@Param('id') id: string): Promise<DirectiveList> {
    const run = await this.gateway.find(checkedId(id));
    const items = await this.log.itemsWithChildren(run, ['control.directive.emitted']);
    return { directives: items.flatMap(viewOf) };
  }
}

function viewOf(item: LogItem): DirectiveView[] {
  if (!('event' in item) || item.event.body.type !== 'control.directive.emitted') return [];
  const { seq, time, body } = item.event;
  const { requestId, directive, isTerminal, targetType, targetId, reason, extra } = body;
  const own = { seq, time, requestId, directive, isTerminal, targetType, targetId, reason };
  return [{ ...own, ...(extra && { extra }) }];
}
