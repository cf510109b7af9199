import { Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { RunLog } from '../events/run-log.ts';
import { GatewayService } from '../gateway.service.ts';
import { Api } from '../http/api.ts';
import { checkedId } from '../requests/requests.controller.ts';
import { TaskList } from './tasks.dto.ts';
import { TASK_EVENTS, tasksOf } from './tasks.ts';

@Api('requests')
export class TasksController {
  constructor(
    private readonly gateway: GatewayService,
    private readonly log: RunLog,
  ) {}

  @Get('requests/:id/tasks')
  @ApiOperation({ summary: 'List the tasks of a request' })
  @ApiOkResponse({ type: TaskList })
  async list(@Param('id') id: string): Promise<TaskList> {
    const run = await this.gateway.find(checkedId(id));
    const items = await this.log.itemsOf(run, TASK_EVENTS);
    return { tasks: tasksOf(items.flatMap((item) => ('event' in item ? [item.event.body] : []))) };
  }
}
