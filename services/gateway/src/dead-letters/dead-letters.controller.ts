import { Get, Inject, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { type Bus, type DeadLetter, DeadLetters } from '@reins/bus';
import { channelOf, EVENT_TYPES, HEADERS, inboxSubject } from '@reins/contracts';
import { BUS, Settings } from '@reins/service-kit';
import { GatewayService } from '../gateway.service.ts';
import { Api } from '../http/api.ts';
import { idempotencyKeyIn } from '../requests/commands.ts';
import { checkedId } from '../requests/requests.controller.ts';
import { DeadLetterList, type DeadLetterView } from './dead-letters.dto.ts';

/** All types of commands to a run. */
const COMMANDS = EVENT_TYPES.filter((type) => type.startsWith('command.') && channelOf(type) === 'inbox');

/** Shows callers which of their commands, accepted with 202, the run has refused. */
@Api('requests')
export class DeadLettersController {
  readonly #letters: DeadLetters;

  constructor(
    private readonly gateway: GatewayService,
    private readonly settings: Settings,
    @Inject(BUS) bus: Bus,
  ) {
    this.#letters = new DeadLetters(bus);
  }

  @Get('requests/:id/dead-letters')
  @ApiOperation({ summary: 'List commands to a request that were accepted but failed' })
  @ApiOkResponse({ type: DeadLetterList })
  async list(@Param('id') id: string): Promise<DeadLetterList> {
    const { workspaceId, requestId: runId } = await this.gateway.find(checkedId(id));
    const { partitions } = this.settings.nats;
    const found = await Promise.all(
      COMMANDS.map(async (type) => {
        const subject = inboxSubject({ type, workspaceId, runId }, partitions);
        return (await this.#letters.list({ stream: 'INBOX', subject })).map((letter) => viewOf(runId, type, letter));
      }),
    );
    return { deadLetters: found.flat().sort((a, b) => a.seq - b.seq) };
  }
}

function viewOf(
  requestId: string,
  type: string,
  { seq, time, deliveries, problem, headers }: DeadLetter,
): DeadLetterView {
  const idempotencyKey = idempotencyKeyIn(headers[HEADERS.id] ?? '', requestId, type);
  const known = idempotencyKey === undefined ? {} : { idempotencyKey };
  return { seq, time: time.toISOString(), type, ...known, deliveries, problem: { ...problem } };
}
