import { applyDecorators, Body, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiAcceptedResponse, ApiHeader, ApiOperation } from '@nestjs/swagger';
import { defined, isToken, ReinsError } from '@reins/contracts';
import type { FastifyRequest } from 'fastify';
import { RunLog, type RunSubjects } from '../events/run-log.ts';
import { type CommandBody, GatewayService } from '../gateway.service.ts';
import { Api, problemResponse } from '../http/api.ts';
import { personOf } from '../keys/person.ts';
import { callOf, IDEMPOTENCY_HEADER } from '../requests/call.ts';
import { RequestReader } from '../requests/request-reader.ts';
import { checkedId } from '../requests/requests.controller.ts';
import { CommandResponse } from '../requests/requests.responses.ts';
import { type CommandOutcome, checkAnswer, checkDecision, checkResume, checkSignal } from './check-command.ts';
import { OpenEffectsReader } from './open-effects.ts';
import {
  AnswerRequest,
  AssignRequest,
  DecisionRequest,
  HaltRequest,
  ReasonRequest,
  SignalRequest,
  TaskAnswerRequest,
} from './run-commands.dto.ts';

type Answer = Omit<Extract<CommandBody, { readonly type: 'command.run.answer' }>, 'type'>;

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
  readonly #effects: OpenEffectsReader;

  constructor(
    private readonly gateway: GatewayService,
    log: RunLog,
    private readonly reader: RequestReader,
  ) {
    this.#effects = new OpenEffectsReader(log);
  }

  @Command('pause', 'Pause a request: running work continues, no new work starts')
  pause(
    @Param('id') id: string,
    @Body() body: ReasonRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    return this.#send(id, request, 'pausing', { type: 'command.run.pause', ...operatorFields(body, request) });
  }

  @Command('resume', 'Resume a paused request, or one whose process was fixed')
  async resume(
    @Param('id') id: string,
    @Body() body: ReasonRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    // What it waits for is only needed for the message.
    const found = await this.reader.find(checkedId(id)).catch(() => undefined);
    const effects = await this.#effects.forSignal(await this.#run(id));
    return this.#send(id, request, checkResume(effects, id, found?.waiting), {
      type: 'command.run.resume',
      ...operatorFields(body, request),
    });
  }

  @Command('unpark', 'Retry the held messages of a parked request now')
  unpark(
    @Param('id') id: string,
    @Body() body: ReasonRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    return this.#send(id, request, 'unparking', { type: 'command.run.unpark', ...operatorFields(body, request) });
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

  @Command('process', 'Assign a process to a request, or give its process corrected code; `force` replaces its process')
  assign(
    @Param('id') id: string,
    @Body() { process, inputs, force, revision, ...why }: AssignRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    const given = {
      process,
      ...defined({ inputs, force, revision }),
    };
    const details = operatorFields(why, request);
    return this.#send(id, request, 'assigning', { type: 'command.run.assign', ...given, ...details });
  }

  @Command('signals', 'Send a signal to a request; a signal that nothing waits for yet is kept')
  async signal(
    @Param('id') id: string,
    @Body() { name, payload }: SignalRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    const outcome = checkSignal(await this.#effects.forSignal(await this.#run(id)), name);
    return this.#send(id, request, outcome, {
      type: 'command.signal',
      name,
      ...defined({ payload }),
    });
  }

  @Command('approvals/:approvalId', 'Decide a breakpoint or an approval that a request waits for')
  async decide(
    @Param('id') id: string,
    @Param('approvalId') approvalId: string,
    @Body() { decision, comment, decidedBy }: DecisionRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    const decided = {
      decision,
      decidedBy: personOf(callOf(request).caller, decidedBy),
      ...defined({ comment }),
    };
    const target = { approvalId: checkedToken(approvalId, 'approvalId') };
    const outcome = checkDecision(await this.#effects.forAnswer(await this.#run(id)), approvalId, {
      requestId: id,
      status: decision,
    });
    return this.#send(id, request, outcome, { type: 'command.approval.resolve', ...target, ...decided });
  }

  @Command('answers', 'Answer a question, a task or a breakpoint that a request waits for')
  async answer(
    @Param('id') id: string,
    @Body() { effectId, answer, answeredBy, questionNumber }: AnswerRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    const by = { answeredBy: personOf(callOf(request).caller, answeredBy) };
    return this.#answer(id, request, {
      effectId,
      answer,
      ...defined({ questionNumber }),
      ...by,
    });
  }

  @Command('tasks/:effectId/answer', 'Post the result of a task')
  async postResult(
    @Param('id') id: string,
    @Param('effectId') effectId: string,
    @Body() { value, error, answeredBy: person }: TaskAnswerRequest,
    @Req() request: FastifyRequest,
  ): Promise<CommandResponse> {
    if (value !== undefined && error) throw bothGiven();
    const answeredBy = personOf(callOf(request).caller, person);
    const ended = { answer: value ?? null, answeredBy, ...(error && { error: { ...error } }) };
    return this.#answer(id, request, { effectId: checkedToken(effectId, 'effectId'), ...ended });
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

  #run(id: string): Promise<RunSubjects> {
    return this.gateway.find(checkedId(id));
  }

  /** Sends an answer. It is for the question that the call names, that an earlier call was for, or the latest one. */
  async #answer(id: string, request: FastifyRequest, given: Answer): Promise<CommandResponse> {
    const { effectId } = given;
    const effects = await this.#effects.forAnswer(await this.#run(id));
    const named = given.questionNumber ?? (await this.gateway.repeatedQuestion(id, callOf(request), effectId));
    const answer = given.error ? undefined : given.answer;
    const outcome = checkAnswer(effects, effectId, { requestId: id, answer, questionNumber: named }, 'answered');
    const questionNumber = named ?? effects.questionNumber(effectId);
    const numbered = { ...given, ...defined({ questionNumber }) };
    return this.#send(id, request, outcome, { type: 'command.run.answer', ...numbered });
  }

  async #send(
    id: string,
    request: FastifyRequest,
    outcome: string | CommandOutcome,
    body: CommandBody,
  ): Promise<CommandResponse> {
    const idempotencyKey = await this.gateway.command(checkedId(id), callOf(request), body);
    return { requestId: id, ...(typeof outcome === 'string' ? { status: outcome } : outcome), idempotencyKey };
  }
}

/** The caller and the reason of a command. */
function operatorFields(body: ReasonRequest | undefined, request: FastifyRequest) {
  const requestedBy = personOf(callOf(request).caller, body?.requestedBy);
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
