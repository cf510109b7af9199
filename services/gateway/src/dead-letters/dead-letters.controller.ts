import { Get, Inject, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { type Bus, type DeadLetter, DeadLetters } from '@reins/bus';
import { channelOf, defined, EVENT_TYPES, HEADERS, inboxSubject, type JsonObject } from '@reins/contracts';
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
  { seq, time, deliveries, problem, headers, data }: DeadLetter,
): DeadLetterView {
  const idempotencyKey = idempotencyKeyIn(headers[HEADERS.id] ?? '', requestId, type);
  const known = defined({ idempotencyKey, requestedBy: senderOf(data) });
  return { seq, time: time.toISOString(), type, ...known, deliveries, problem: { ...problem } };
}

/** Who sent a command; undefined if it does not say so, or cannot be read. */
function senderOf(data: Uint8Array): string | undefined {
  try {
    const { requestedBy, answeredBy, decidedBy } = JSON.parse(Buffer.from(data).toString('utf8')) as JsonObject;
    const sender = requestedBy ?? answeredBy ?? decidedBy;
    return typeof sender === 'string' ? sender : undefined;
  } catch {
    return undefined;
  }
}
