import { Injectable } from '@nestjs/common';
import { ReinsError } from '@reins/contracts';
import { Settings } from '@reins/service-kit';
import type { FastifyReply } from 'fastify';
import { HEARTBEAT } from '../../../events/frames.ts';
import { ResponseSink } from '../../../events/response-sink.ts';
import { type Call, GatewayService } from '../../../gateway.service.ts';
import type { AcceptedRequest } from '../../../requests/request-records.ts';
import { Answer } from '../../answer/answer.ts';
import { type AnswerOutcome, type AnswerReader, Answers, SILENT } from '../../answer/answers.ts';
import { type AgentModel, AgentModels } from '../models/agent-models.ts';
import { OpenAiRequests } from '../openai-requests.ts';
import type { ResponseCall } from './response-call.ts';
import { ResponseEvents } from './response-events.ts';
import { type ResponseRecord, ResponseRecords } from './response-records.ts';
import { type ResponseState, responseView, textOf } from './response-view.ts';

/** How long a cancellation waits for the end of the request. A request cleans up for at most ten seconds. */
const CANCEL_WAIT_MS = 15_000;

/** A response, and its request. */
interface ResponseRun {
  readonly record: ResponseRecord;
  readonly request: AcceptedRequest;
}

/** Answers the calls of the Responses API with requests, which are stored and continue without the client. */
@Injectable()
export class Responses {
  /** Aborted when the gateway stops. */
  readonly #stopping = new AbortController();

  constructor(
    private readonly gateway: GatewayService,
    private readonly models: AgentModels,
    private readonly requests: OpenAiRequests,
    private readonly records: ResponseRecords,
    private readonly answers: Answers,
    private readonly settings: Settings,
  ) {}

  /**
   * Submits the request of a call and stores the response.
   * @throws ReinsError `model_not_found` · `previous_response_not_found`; as `OpenAiRequests.ask`
   */
  async create(given: ResponseCall, call: Call, reply: FastifyReply): Promise<void> {
    const agent = await this.models.find(given.model);
    const run = await this.#ask(given, agent, call);
    reply.header('x-request-id', run.request.requestId);
    if (given.stream) return this.#stream(run, undefined, reply, agent);
    const view = given.background ? responseView(run.record, QUEUED, NO_ANSWER.usage) : await this.#wait(run, reply);
    if (view) reply.send(view);
  }

  async #ask(given: ResponseCall, agent: AgentModel, call: Call): Promise<ResponseRun> {
    const previous = await this.#previous(given.previousResponseId);
    const { schema, thinkingValue, instructions } = given;
    const sessionId = previous?.request.sessionId ?? given.conversation ?? given.sessionId;
    const messages = instructions === null ? given.messages : [system(instructions), ...given.messages];
    const fields = { ...given, sessionId };
    const question = previous && (await this.#questionOf(previous));
    const waiting = question && previous ? { request: previous.request, question } : null;
    const continued = previous ? waiting : undefined;
    const asked = await this.requests.ask({ fields, agent, messages, schema, thinkingValue, continued }, call);
    const record: ResponseRecord = {
      requestId: asked.request.requestId,
      afterSeq: asked.afterSeq,
      createdAt: continued ? new Date().toISOString() : asked.request.acceptedAt,
      model: given.model,
      background: given.background,
      store: given.store,
      instructions,
      previousResponseId: given.previousResponseId ?? null,
      conversation: given.conversation ?? null,
      metadata: given.metadata,
      schema: schema ?? null,
      effort: thinkingValue ?? null,
      user: given.user ?? null,
      input: given.messages.map(({ role, text, files }) => ({ role, text, fileNames: files.map(({ name }) => name) })),
    };
    if (record.store) await this.records.keep(record);
    return { record, request: asked.request };
  }

  /** @throws ReinsError `previous_response_not_found` */
  async #previous(id: string | undefined): Promise<ResponseRun | undefined> {
    if (id === undefined) return undefined;
    const record = await this.records.find(id);
    if (record) return { record, request: await this.gateway.find(record.requestId) };
    throw new ReinsError({
      code: 'previous_response_not_found',
      message: 'the previous response does not exist, was deleted, or was not stored',
      path: 'previous_response_id',
    });
  }

  /** The question that a response ends with, if its request still waits for the answer. */
  async #questionOf(run: ResponseRun): Promise<Extract<ResponseState, { status: 'question' }>['question'] | undefined> {
    const { answer } = await this.answers.soFar(run.request, run.record.afterSeq);
    return answer.end ? undefined : answer.question;
  }

  /** The current state of a response. @throws ReinsError `response_not_found` */
  async retrieve(id: string): Promise<object> {
    const record = await this.records.get(id);
    return this.#view({ record, request: await this.gateway.find(record.requestId) });
  }

  /** Streams the events of a response, from its start or after a sequence number. @throws ReinsError `response_not_found` */
  async resume(id: string, startingAfter: number | undefined, reply: FastifyReply): Promise<void> {
    const record = await this.records.get(id);
    const request = await this.gateway.find(record.requestId);
    const agent = await this.models.find(record.model).catch(() => undefined);
    return this.#stream({ record, request }, startingAfter, reply, agent);
  }

  /** Cancels the request of a response, and waits for its end. @throws ReinsError `response_not_found` */
  async cancel(id: string, call: Call): Promise<object> {
    const record = await this.records.get(id);
    const request = await this.gateway.find(record.requestId);
    if (!(await this.gateway.isEnded(request))) {
      // It may have ended by now.
      await this.gateway.cancel(record.requestId, { reason: 'cancelled by the client' }, call).catch(ignoreEnded);
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(CANCEL_WAIT_MS)]);
      await this.answers.follow(request, new Answer(undefined), SILENT, {
        signal,
        afterSeq: record.afterSeq,
        until: 'end',
      });
    }
    return this.#view({ record, request });
  }

  /** Deletes a response. Its request stays in the record of Reins. @throws ReinsError `response_not_found` */
  async remove(id: string): Promise<object> {
    await this.records.get(id);
    await this.records.remove(id);
    return { id, object: 'response', deleted: true };
  }

  /** The record of a response. @throws ReinsError `response_not_found` */
  find(id: string): Promise<ResponseRecord> {
    return this.records.get(id);
  }

  /** The gateway stops: open calls end, and their requests go on. */
  stop(): void {
    this.#stopping.abort();
  }

  async #view(run: ResponseRun): Promise<object> {
    const { record, request } = run;
    const { answer, hasEvents } = await this.answers.soFar(request, record.afterSeq);
    const state = stateOf(answer, hasEvents);
    if (state.status !== 'queued' || !(await this.gateway.isClosed(request)))
      return responseView(record, state, answer.usage);
    const { outcome, usage } = await this.answers.stored(request);
    return responseView(record, stateOfOutcome(outcome), usage);
  }

  /** Waits for the answer; undefined if the client has disconnected. */
  async #wait(run: ResponseRun, reply: FastifyReply): Promise<object | undefined> {
    const answer = new Answer(undefined);
    const outcome = await this.#follow(run, answer, SILENT, reply);
    if (reply.raw.destroyed) return void reply.hijack();
    return responseView(run.record, stateOfOutcome(outcome), answer.usage);
  }

  async #stream(
    run: ResponseRun,
    startingAfter: number | undefined,
    reply: FastifyReply,
    agent: AgentModel | undefined,
  ): Promise<void> {
    const { record } = run;
    const response = new ResponseSink(reply, { 'x-request-id': record.requestId });
    const events = new ResponseEvents(record, startingAfter ?? -1, (frame) => response.write(frame));
    const answer = new Answer(record.schema === null ? agent?.answeringStage : undefined);
    events.start();
    const reader: AnswerReader = {
      part: (part) => {
        if (part.kind === 'text') events.text(part.text);
      },
      answered: () => undefined,
      heartbeat: () => response.write(HEARTBEAT),
      get pendingBytes() {
        return response.pendingBytes;
      },
      drained: () => response.drained(),
    };
    const outcome = await this.#follow(run, answer, reader, reply);
    if (outcome.status !== 'open') {
      const text = textOf(outcome, record);
      events.end(outcome, answer.usage, text === undefined ? '' : answer.missingText(text));
    }
    // Otherwise the client resumes after its last event.
    if (outcome.status === 'open' && outcome.reason === 'too_slow') response.abort();
    else response.end();
  }

  /** Follows a response. Its request continues if the client disconnects: a stored response can be retrieved. */
  async #follow(
    { record, request }: ResponseRun,
    answer: Answer,
    reader: AnswerReader,
    reply: FastifyReply,
  ): Promise<AnswerOutcome> {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    if (reply.raw.destroyed) gone.abort();
    const late = AbortSignal.timeout(this.settings.protocols.openai.maxWaitSeconds * 1000);
    const signal = AbortSignal.any([gone.signal, late, this.#stopping.signal]);
    return this.answers.follow(request, answer, reader, { signal, afterSeq: record.afterSeq, until: 'question' });
  }
}

const NO_ANSWER = new Answer(undefined);
const QUEUED: ResponseState = { status: 'queued' };

const system = (text: string) => ({ role: 'system', text, files: [] }) as const;

function stateOf({ end, question }: Answer, hasEvents: boolean): ResponseState {
  if (question) return { status: 'question', question };
  return end ?? { status: hasEvents ? 'in_progress' : 'queued' };
}

const stateOfOutcome = (outcome: AnswerOutcome): ResponseState =>
  outcome.status === 'open' ? { status: 'in_progress' } : outcome;

function ignoreEnded(error: unknown): void {
  if (!(error instanceof ReinsError) || error.code !== 'request_ended') throw error;
}
