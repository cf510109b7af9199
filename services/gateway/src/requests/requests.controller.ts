import { Body, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiHeader, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { defined, isToken, ReinsError } from '@reins/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Accepted, GatewayService } from '../gateway.service.ts';
import { Api, problemResponse } from '../http/api.ts';
import { callOf, IDEMPOTENCY_HEADER } from './call.ts';
import { ListQuery } from './list.dto.ts';
import { RequestReader } from './request-reader.ts';
import { CancelRequest, RetryRequest, SubmitRequest } from './requests.dto.ts';
import { AcceptedResponse, CommandResponse, RequestPage, RequestView } from './requests.responses.ts';
import { Retries } from './retries.ts';

@Api('requests')
export class RequestsController {
  constructor(
    private readonly gateway: GatewayService,
    private readonly reader: RequestReader,
    private readonly retries: Retries,
  ) {}

  @Post('requests')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Submit a request',
    description: 'The request is durable when the response is sent. `idempotency-replayed: true`: the key was known.',
  })
  @ApiHeader(IDEMPOTENCY_HEADER)
  @ApiAcceptedResponse({ type: AcceptedResponse })
  @problemResponse(409)
  @problemResponse(413)
  @problemResponse(415)
  async submit(
    @Body() body: SubmitRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AcceptedResponse> {
    return acceptedResponse(await this.gateway.submit(body, callOf(request)), reply);
  }

  @Post('requests/:id/retry')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Retry an ended request, as a new request',
    description: 'The new request has the same session, input, options, process and workspace revision.',
  })
  @ApiHeader(IDEMPOTENCY_HEADER)
  @ApiAcceptedResponse({ type: AcceptedResponse })
  @problemResponse(409)
  async retry(
    @Param('id') id: string,
    @Body() body: RetryRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AcceptedResponse> {
    return acceptedResponse(await this.retries.retry(checkedId(id), body?.from, callOf(request)), reply);
  }

  @Get('requests')
  @ApiOperation({ summary: 'List requests, newest first' })
  @ApiOkResponse({ type: RequestPage })
  list(@Query() { limit = 50, cursor, ...filter }: ListQuery): Promise<RequestPage> {
    return this.reader.list({ ...filter, limit, ...defined({ before: cursor }) });
  }

  @Get('requests/:id')
  @ApiOperation({ summary: 'Get a request with its stage runs, usage and output' })
  @ApiOkResponse({ type: RequestView })
  find(@Param('id') id: string): Promise<RequestView> {
    return this.reader.find(checkedId(id));
  }

  @Post('requests/:id/cancel')
  @HttpCode(202)
  @ApiOperation({ summary: 'Cancel a request' })
  @ApiHeader(IDEMPOTENCY_HEADER)
  @ApiAcceptedResponse({ type: CommandResponse })
  @problemResponse(409)
  async cancel(
    @Param('id') id: string,
    @Body() body: CancelRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    const idempotencyKey = await this.gateway.cancel(checkedId(id), body ?? {}, callOf(request));
    return { requestId: id, status: 'cancelling', idempotencyKey };
  }
}

function acceptedResponse({ record, replayed }: Accepted, reply: FastifyReply): AcceptedResponse {
  const { requestId, sessionId, workspaceId, revision } = record;
  const url = `/api/v1/requests/${requestId}`;
  reply.header('location', url);
  if (replayed) reply.header('idempotency-replayed', 'true');
  return { requestId, sessionId, workspaceId, revision, status: 'accepted', url, eventsUrl: `${url}/events` };
}

/** Validates a request id. @throws ReinsError `request_not_found` */
export function checkedId(id: string): string {
  if (isToken(id)) return id;
  throw new ReinsError({ code: 'request_not_found', message: 'the request does not exist', path: 'id' });
}
