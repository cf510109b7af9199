import { Get, Inject, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { type Bus, type DeadLetter, DeadLetters } from '@reins/bus';
import { channelOf, EVENT_TYPES, inboxSubject } from '@reins/contracts';
import { BUS, Settings } from '@reins/service-kit';
import { GatewayService } from '../gateway.service.ts';
import { Api } from '../http/api.ts';
import { checkedId } from '../requests/requests.controller.ts';
import { DeadLetterList, type DeadLetterView } from './dead-letters.dto.ts';

/** Everything that can be said to a run. */
const COMMANDS = EVENT_TYPES.filter((type) => type.startsWith('command.') && channelOf(type) === 'inbox');

/** Where a caller sees that a command, which was stored when it was answered with 202, was refused by its run. */
@Api('requests')
export class DeadLettersController {
  readonly #letters: DeadLetters;

  constructor(
    @Inject(GatewayService) private readonly gateway: GatewayService,
    @Inject(Settings) private readonly settings: Settings,
    @Inject(BUS) bus: Bus,
  ) {
    this.#letters = new DeadLetters(bus);
  }

  @Get('requests/:id/dead-letters')
  @ApiOperation({ summary: 'Commands to a request that were accepted and could not be carried out' })
  @ApiOkResponse({ type: DeadLetterList })
  async list(@Param('id') id: string): Promise<DeadLetterList> {
    const { workspaceId, requestId: runId } = await this.gateway.find(checkedId(id));
    const { partitions } = this.settings.nats;
    const found = await Promise.all(
      COMMANDS.map(async (type) => {
        const subject = inboxSubject({ type, workspaceId, runId }, partitions);
        return (await this.#letters.list({ stream: 'INBOX', subject })).map((letter) => viewOf(type, letter));
      }),
    );
    return { deadLetters: found.flat().sort((a, b) => a.seq - b.seq) };
  }
}

function viewOf(type: string, { seq, time, deliveries, problem }: DeadLetter): DeadLetterView {
  return { seq, time: time.toISOString(), type, deliveries, problem: { ...problem } };
}
