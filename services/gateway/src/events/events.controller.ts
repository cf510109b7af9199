import { Get, Headers, Param, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiOperation, getSchemaPath } from '@nestjs/swagger';
import { ReinsError } from '@reins/contracts';
import type { FastifyReply } from 'fastify';
import { GatewayService } from '../gateway.service.ts';
import { Api, problemResponse } from '../http/api.ts';
import type { AcceptedRequest } from '../requests/request-records.ts';
import { checkedId } from '../requests/requests.controller.ts';
import { EventHub } from './event-hub.ts';
import { type EventId, parseEventId } from './event-id.ts';
import { EventSink } from './event-sink.ts';
import { EventPage, EventsQuery } from './events.dto.ts';
import { EventPages } from './events.service.ts';
import { ResponseSink } from './response-sink.ts';
import { RunLog } from './run-log.ts';
import { RunStream } from './run-stream.ts';

const EVENT_STREAM = 'text/event-stream';
const DEFAULT_LIMIT = 100;

@Api('events')
@ApiExtraModels(EventPage)
export class EventsController {
  constructor(
    private readonly gateway: GatewayService,
    private readonly pages: EventPages,
    private readonly log: RunLog,
    private readonly hub: EventHub,
  ) {}

  @Get('requests/:id/events')
  @problemResponse(410)
  @ApiOperation({
    summary: 'List or stream the events of a request',
    description: `Returns a page of events. With \`Accept: ${EVENT_STREAM}\`, streams past and new events until the run ends; resume an interrupted stream with \`Last-Event-ID\`. 204: the run has ended and there are no more events. 410: the event log does not continue after \`Last-Event-ID\`, or the events have left it.`,
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'streams only: the id of the last received event',
    schema: { type: 'string' },
  })
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(EventPage) } },
      [EVENT_STREAM]: { schema: { type: 'string' } },
    },
  })
  async events(
    @Param('id') id: string,
    @Query() query: EventsQuery,
    @Headers('accept') accept: string | undefined,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const request = await this.gateway.find(checkedId(id));
    if (accept?.includes(EVENT_STREAM)) return this.#stream(request, query, lastEventId, reply);
    reply.send(await this.pages.page(request, query.after ?? 0, query.limit ?? DEFAULT_LIMIT));
  }

  async #stream(
    request: AcceptedRequest,
    query: EventsQuery,
    lastEventId: string | undefined,
    reply: FastifyReply,
  ): Promise<void> {
    const after = eventIdIn(lastEventId) ?? { seq: query.after ?? 0 };
    if (after.seq > 0) await this.log.check(after);
    const ended = await this.gateway.isClosed(request);
    if (ended && !(await this.log.hasEvents(request, after.seq))) {
      if (after.seq === 0) throw eventsExpired(request);
      return void reply.status(204).send();
    }
    const include = query.include ?? ['deltas'];
    const response = new ResponseSink(reply);
    const sink = new EventSink(response, include.includes('views'));
    const stream = new RunStream(this.hub, this.log, sink, {
      run: request,
      afterSeq: after.seq,
      ended,
      deltas: include.includes('deltas'),
    });
    response.onClose(() => stream.close('interrupted'));
    try {
      await stream.start();
    } catch {
      // The client reconnects and resumes after its last event.
      stream.close('interrupted');
    }
  }
}

const eventsExpired = ({ requestId }: AcceptedRequest): ReinsError =>
  new ReinsError({
    code: 'events_gone',
    message: `request ${requestId} has ended and its events have left the event log`,
    path: 'id',
    hint: 'List its events as JSON, without `Accept: text/event-stream`.',
  });

function eventIdIn(lastEventId: string | undefined): EventId | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined;
  const id = parseEventId(lastEventId);
  if (id) return id;
  throw new ReinsError({
    code: 'request_invalid',
    message: 'last-event-id is not a valid event id',
    path: 'last-event-id',
  });
}
