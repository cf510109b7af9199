import { Body, Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { type Bus, callService, MEMORY_CALLS } from '@reins/bus';
import { defined, isToken, type MemorySource, ReinsError } from '@reins/contracts';
import { BUS } from '@reins/service-kit';
import type { FastifyRequest } from 'fastify';
import { GatewayService } from '../gateway.service.ts';
import { Api, problemResponse } from '../http/api.ts';
import { callerOf } from '../keys/api-key.guard.ts';
import { personOf } from '../keys/person.ts';
import { checkedId } from '../requests/requests.controller.ts';
import { AddRecord, EditRecord, ForgetRecord, RateRecord, RecallRequest, RecordQuery } from './memory.dto.ts';
import {
  DecisionView,
  ForgottenView,
  MemoryVerificationView,
  NamespaceList,
  RecallView,
  RecordHistory,
  RecordPage,
  RecordView,
  RequestMemory,
} from './memory.responses.ts';
import { RequestMemories } from './request-memory.ts';

/** A verification reads the whole stream. */
const VERIFY_MS = 25_000;

/** Passes calls about memory to the memory service. */
@Api('memory')
export class MemoryController {
  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly gateway: GatewayService,
    private readonly memories: RequestMemories,
  ) {}

  @Get('requests/:id/memory')
  @ApiOperation({ summary: 'Show what a request recalled from memory' })
  @ApiOkResponse({ type: RequestMemory })
  async used(@Param('id') id: string): Promise<RequestMemory> {
    return this.memories.of(await this.gateway.find(checkedId(id)));
  }

  @Post('memory/records')
  @HttpCode(201)
  @ApiOperation({
    summary: 'Remember a text in a namespace',
    description: 'Idempotent: a text that an active record already has is a duplicate.',
  })
  @ApiCreatedResponse({ type: DecisionView })
  @problemResponse(409)
  add(
    @Body() { requestedBy, kind = 'fact', ...fields }: AddRecord,
    @Req() request: FastifyRequest,
  ): Promise<DecisionView> {
    return this.#call('add', { kind, ...fields, source: sourceOf(request, requestedBy) });
  }

  @Get('memory/records')
  @ApiOperation({ summary: 'List or search records, newest first' })
  @ApiOkResponse({ type: RecordPage })
  list(@Query() { cursor, ...filter }: RecordQuery): Promise<RecordPage> {
    return this.#call('list', { ...filter, ...defined({ before: cursor }) });
  }

  @Get('memory/records/:id')
  @ApiOperation({ summary: 'Get a record' })
  @ApiOkResponse({ type: RecordView })
  show(@Param('id') id: string): Promise<RecordView> {
    return this.#call('show', { id: checkedRecordId(id) });
  }

  @Get('memory/records/:id/history')
  @ApiOperation({ summary: 'List all versions of a record' })
  @ApiOkResponse({ type: RecordHistory })
  history(@Param('id') id: string): Promise<RecordHistory> {
    return this.#call('history', { id: checkedRecordId(id) });
  }

  @Post('memory/records/:id/edit')
  @HttpCode(200)
  @ApiOperation({ summary: 'Supersede a record by one with another text' })
  @ApiOkResponse({ type: DecisionView })
  @problemResponse(409)
  edit(
    @Param('id') id: string,
    @Body() { text, requestedBy }: EditRecord,
    @Req() request: FastifyRequest,
  ): Promise<DecisionView> {
    return this.#call('edit', { id: checkedRecordId(id), text, source: sourceOf(request, requestedBy) });
  }

  @Post('memory/records/:id/rate')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Rate a record as useful or useless',
    description: 'Recalls prefer useful records. The last rating of each person counts.',
  })
  @ApiOkResponse({ type: RecordView })
  @problemResponse(409)
  rate(
    @Param('id') id: string,
    @Body() { useful, requestedBy }: RateRecord,
    @Req() request: FastifyRequest,
  ): Promise<RecordView> {
    return this.#call('rate', { id: checkedRecordId(id), useful, source: sourceOf(request, requestedBy) });
  }

  @Post('memory/records/:id/forget')
  @HttpCode(200)
  @ApiOperation({ summary: 'Forget a record with its earlier versions' })
  @ApiOkResponse({ type: ForgottenView })
  @problemResponse(409)
  forget(@Param('id') id: string, @Body() body: ForgetRecord, @Req() request: FastifyRequest): Promise<ForgottenView> {
    const { requestedBy, reason } = body ?? {};
    const source = sourceOf(request, requestedBy);
    return this.#call('forget', { id: checkedRecordId(id), source, ...defined({ reason }) });
  }

  @Post('memory/recall')
  @HttpCode(200)
  @ApiOperation({ summary: 'Recall the records that matter most for a query' })
  @ApiOkResponse({ type: RecallView })
  recall(@Body() body: RecallRequest): Promise<RecallView> {
    return this.#call('recall', body);
  }

  @Get('memory/namespaces')
  @ApiOperation({ summary: 'List the namespaces with the number of their records' })
  @ApiOkResponse({ type: NamespaceList })
  namespaces(): Promise<NamespaceList> {
    return this.#call('namespaces', {});
  }

  @Post('memory/verify')
  @HttpCode(200)
  @ApiOperation({ summary: 'Compare the memory tables with the stream MEMORY' })
  @ApiOkResponse({ type: MemoryVerificationView })
  verify(): Promise<MemoryVerificationView> {
    return this.#call('verify', {}, VERIFY_MS);
  }

  @Post('memory/rebuild')
  @HttpCode(200)
  @ApiOperation({ summary: 'Rebuild the memory tables from the stream MEMORY' })
  @ApiOkResponse({ type: MemoryVerificationView, description: 'what differed before' })
  rebuild(): Promise<MemoryVerificationView> {
    return this.#call('rebuild', {}, VERIFY_MS);
  }

  #call<Result>(name: string, body: object, timeoutMs?: number): Promise<Result> {
    return callService<Result>(this.bus, `${MEMORY_CALLS}.${name}`, body, defined({ timeoutMs }));
  }
}

const sourceOf = (request: FastifyRequest, requestedBy: string | undefined): MemorySource => ({
  person: personOf(callerOf(request), requestedBy),
});

/** @throws ReinsError `memory_record_not_found` */
function checkedRecordId(id: string): string {
  if (isToken(id)) return id;
  throw new ReinsError({ code: 'memory_record_not_found', message: 'the record does not exist', path: 'id' });
}
