import { applyDecorators, Body, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { ApiAcceptedResponse, ApiHeader, ApiOperation } from '@nestjs/swagger';
import { isToken, ReinsError } from '@reins/contracts';
import type { FastifyRequest } from 'fastify';
import { type CommandBody, GatewayService } from '../gateway.service.ts';
import { Api, problemResponse } from '../http/api.ts';
import { callOf, IDEMPOTENCY_HEADER } from '../requests/call.ts';
import { checkedId } from '../requests/requests.controller.ts';
import { CommandResponse } from '../requests/requests.responses.ts';
import {
  AssignRequest,
  DecisionRequest,
  HaltRequest,
  ReasonRequest,
  SignalRequest,
  TaskAnswerRequest,
} from './run-commands.dto.ts';

/** A call that becomes a command of a run: 202 when that is durable, 409 when the run has ended. */
const Command = (path: string, summary: string): MethodDecorator =>
  applyDecorators(
    Post(`requests/:id/${path}`),
    HttpCode(202),
    ApiOperation({ summary }),
    ApiHeader(IDEMPOTENCY_HEADER),
    ApiAcceptedResponse({ type: CommandResponse }),
    problemResponse(409),
  );

/** What people and operators do to a run that is under way. */
@Api('requests')
export class RunCommandsController {
  constructor(@Inject(GatewayService) private readonly gateway: GatewayService) {}

  @Command('pause', 'Hold a request: what is under way goes on, nothing new is asked for')
  pause(
    @Param('id') id: string,
    @Body() body: ReasonRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    return this.#send(id, request, 'pausing', { type: 'command.run.pause', ...operatorSaid(body, request) });
  }

  @Command('resume', 'Let a request go on that was paused, or whose process was mended')
  resume(
    @Param('id') id: string,
    @Body() body: ReasonRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    return this.#send(id, request, 'resuming', { type: 'command.run.resume', ...operatorSaid(body, request) });
  }

  @Command('halt', 'End a request well, by hand, without its clean-up')
  halt(@Param('id') id: string, @Body() body: HaltRequest, @Req() request: FastifyRequest): Promise<CommandResponse> {
    const payload = body?.output === undefined ? {} : { payload: body.output };
    return this.#send(id, request, 'halting', { type: 'command.run.halt', ...operatorSaid(body, request), ...payload });
  }

  @Command('process', 'Give a request its process, or with `force` another one, which begins anew')
  assign(
    @Param('id') id: string,
    @Body() { process, inputs, force, ...why }: AssignRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    const given = { process, ...(inputs !== undefined && { inputs }), ...(force !== undefined && { force }) };
    const said = operatorSaid(why, request);
    return this.#send(id, request, 'assigning', { type: 'command.run.assign', ...given, ...said });
  }

  @Command('signals', 'Send a request an event from outside; one that comes early is kept')
  signal(
    @Param('id') id: string,
    @Body() { name, payload }: SignalRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    return this.#send(id, request, 'sent', { type: 'command.signal', name, ...(payload !== undefined && { payload }) });
  }

  @Command('approvals/:approvalId', 'Decide what a request waits for: a breakpoint or an approval')
  decide(
    @Param('id') id: string,
    @Param('approvalId') approvalId: string,
    @Body() { decision, comment }: DecisionRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    const decided = { decision, decidedBy: callOf(request).caller.name, ...(comment !== undefined && { comment }) };
    const about = { approvalId: known(approvalId, 'approvalId') };
    return this.#send(id, request, decision, { type: 'command.approval.resolve', ...about, ...decided });
  }

  @Command('tasks/:effectId/answer', 'Say how a task of a process ended')
  answer(
    @Param('id') id: string,
    @Param('effectId') effectId: string,
    @Body() { value, error }: TaskAnswerRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    if (value !== undefined && error) throw bothGiven();
    const answeredBy = callOf(request).caller.name;
    const ended = { answer: value ?? null, answeredBy, ...(error && { error: { ...error } }) };
    const about = { effectId: known(effectId, 'effectId') };
    return this.#send(id, request, 'answered', { type: 'command.run.answer', ...about, ...ended });
  }

  @Command('tasks/:effectId/cancel', 'Cancel one task, or any other effect, of a process')
  cancel(
    @Param('id') id: string,
    @Param('effectId') effectId: string,
    @Body() body: ReasonRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    const about = { effectId: known(effectId, 'effectId') };
    const said = operatorSaid(body, request);
    return this.#send(id, request, 'cancelling', { type: 'command.effect.cancel', ...about, ...said });
  }

  @Command('effects/:effectId/invalidate', 'Have an effect, and everything after it, asked for again')
  invalidate(
    @Param('id') id: string,
    @Param('effectId') effectId: string,
    @Body() body: ReasonRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    const about = { effectId: known(effectId, 'effectId') };
    const said = operatorSaid(body, request);
    return this.#send(id, request, 'invalidating', { type: 'command.effect.invalidate', ...about, ...said });
  }

  async #send(id: string, request: FastifyRequest, status: string, said: CommandBody): Promise<CommandResponse> {
    const idempotencyKey = await this.gateway.command(checkedId(id), callOf(request), said);
    return { requestId: id, status, idempotencyKey };
  }
}

/** Who says it, and why. */
function operatorSaid(body: ReasonRequest | undefined, request: FastifyRequest) {
  const requestedBy = callOf(request).caller.name;
  return { requestedBy, ...(body?.reason !== undefined && { reason: body.reason }) };
}

/** Ids stand in subjects: what cannot be one names nothing. */
function known(id: string, path: string): string {
  if (isToken(id)) return id;
  throw new ReinsError({ code: 'request_invalid', message: 'this is no id', path });
}

const bothGiven = (): ReinsError =>
  new ReinsError({
    code: 'request_invalid',
    message: 'a task ends with a value or with an error, not with both',
    path: 'error',
  });
