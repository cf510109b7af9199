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

/** Decorates a call that sends a command to a run: 202 when the command is durable, 409 when the run has ended. */
const Command = (path: string, summary: string): MethodDecorator =>
  applyDecorators(
    Post(`requests/:id/${path}`),
    HttpCode(202),
    ApiOperation({ summary }),
    ApiHeader(IDEMPOTENCY_HEADER),
    ApiAcceptedResponse({ type: CommandResponse }),
    problemResponse(409),
  );

/** Calls that control an open run. */
@Api('requests')
export class RunCommandsController {
  constructor(@Inject(GatewayService) private readonly gateway: GatewayService) {}

  @Command('pause', 'Pause a request: running work continues, no new work starts')
  pause(
    @Param('id') id: string,
    @Body() body: ReasonRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    return this.#send(id, request, 'pausing', { type: 'command.run.pause', ...operatorFields(body, request) });
  }

  @Command('resume', 'Resume a paused request, or one whose process was fixed')
  resume(
    @Param('id') id: string,
    @Body() body: ReasonRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    return this.#send(id, request, 'resuming', { type: 'command.run.resume', ...operatorFields(body, request) });
  }

  @Command('halt', 'End a request early, without its clean-up')
  halt(@Param('id') id: string, @Body() body: HaltRequest, @Req() request: FastifyRequest): Promise<CommandResponse> {
    const payload = body?.output === undefined ? {} : { payload: body.output };
    return this.#send(id, request, 'halting', {
      type: 'command.run.halt',
      ...operatorFields(body, request),
      ...payload,
    });
  }

  @Command('process', 'Assign a process to a request; `force` replaces an assigned process and restarts')
  assign(
    @Param('id') id: string,
    @Body() { process, inputs, force, ...why }: AssignRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    const given = { process, ...(inputs !== undefined && { inputs }), ...(force !== undefined && { force }) };
    const details = operatorFields(why, request);
    return this.#send(id, request, 'assigning', { type: 'command.run.assign', ...given, ...details });
  }

  @Command('signals', 'Send a signal to a request; a signal that nothing waits for yet is kept')
  signal(
    @Param('id') id: string,
    @Body() { name, payload }: SignalRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    return this.#send(id, request, 'sent', { type: 'command.signal', name, ...(payload !== undefined && { payload }) });
  }

  @Command('approvals/:approvalId', 'Decide a breakpoint or an approval that a request waits for')
  decide(
    @Param('id') id: string,
    @Param('approvalId') approvalId: string,
    @Body() { decision, comment }: DecisionRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    const decided = { decision, decidedBy: callOf(request).caller.name, ...(comment !== undefined && { comment }) };
    const target = { approvalId: checkedToken(approvalId, 'approvalId') };
    return this.#send(id, request, decision, { type: 'command.approval.resolve', ...target, ...decided });
  }

  @Command('tasks/:effectId/answer', 'Post the result of a task')
  answer(
    @Param('id') id: string,
    @Param('effectId') effectId: string,
    @Body() { value, error }: TaskAnswerRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    if (value !== undefined && error) throw bothGiven();
    const answeredBy = callOf(request).caller.name;
    const ended = { answer: value ?? null, answeredBy, ...(error && { error: { ...error } }) };
    const target = { effectId: checkedToken(effectId, 'effectId') };
    return this.#send(id, request, 'answered', { type: 'command.run.answer', ...target, ...ended });
  }

  @Command('tasks/:effectId/cancel', 'Cancel a task or another effect')
  cancel(
    @Param('id') id: string,
    @Param('effectId') effectId: string,
    @Body() body: ReasonRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    const target = { effectId: checkedToken(effectId, 'effectId') };
    const details = operatorFields(body, request);
    return this.#send(id, request, 'cancelling', { type: 'command.effect.cancel', ...target, ...details });
  }

  @Command('effects/:effectId/invalidate', 'Invalidate an effect, so that it and all later effects are requested again')
  invalidate(
    @Param('id') id: string,
    @Param('effectId') effectId: string,
    @Body() body: ReasonRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    const target = { effectId: checkedToken(effectId, 'effectId') };
    const details = operatorFields(body, request);
    return this.#send(id, request, 'invalidating', { type: 'command.effect.invalidate', ...target, ...details });
  }

  async #send(id: string, request: FastifyRequest, status: string, body: CommandBody): Promise<CommandResponse> {
    const idempotencyKey = await this.gateway.command(checkedId(id), callOf(request), body);
    return { requestId: id, status, idempotencyKey };
  }
}

/** The caller and the reason of a command. */
function operatorFields(body: ReasonRequest | undefined, request: FastifyRequest) {
  const requestedBy = callOf(request).caller.name;
  return { requestedBy, ...(body?.reason !== undefined && { reason: body.reason }) };
}

/** Validates an id, which becomes a subject token. */
function checkedToken(id: string, path: string): string {
  if (isToken(id)) return id;
  throw new ReinsError({
    code: 'request_invalid',
    message: `${path} must be 1 to 64 letters, digits, "_" or "-"`,
    path,
  });
}

const bothGiven = (): ReinsError =>
  new ReinsError({
    code: 'request_invalid',
    message: 'give either a value or an error, not both',
    path: 'error',
  });
