import { Injectable } from '@nestjs/common';
import { type JsonValue, type Problem, problemOf, ReinsError } from '@reins/contracts';
import { Settings } from '@reins/service-kit';
import type { FastifyReply } from 'fastify';
import { HEARTBEAT } from '../../../events/frames.ts';
import { ResponseSink } from '../../../events/response-sink.ts';
import { type Call, GatewayService } from '../../../gateway.service.ts';
import type { AcceptedRequest } from '../../../requests/request-records.ts';
import { Answer, type AnswerPart, jsonText, plainText } from '../../answer/answer.ts';
import { type AnswerOutcome, type AnswerReader, Answers, type FollowUntil, SILENT } from '../../answer/answers.ts';
import { AgentModels } from '../models/agent-models.ts';
import { openAiError } from '../openai-error.ts';
import { type Asked, OpenAiRequests } from '../openai-requests.ts';
import { serverSent } from '../server-sent.ts';
import type { ChatCall } from './chat-call.ts';
import { Chunks, completion, completionHead, DONE, reinsFields } from './completion.ts';

/** The request whose answer a call gets, and how. */
interface ChatRun extends Asked {
  readonly chat: ChatCall;
  readonly call: Call;
  readonly answer: Answer;
}

/** Answers chat completions with the output of requests. */
@Injectable()
export class ChatCompletions {
  /** Aborted when the gateway stops. */
  readonly #stopping = new AbortController();

  constructor(
    private readonly gateway: GatewayService,
    private readonly models: AgentModels,
    private readonly requests: OpenAiRequests,
    private readonly answers: Answers,
    private readonly settings: Settings,
  ) {}

  /**
   * Submits the request of a call, and sends its answer.
   * @throws ReinsError until the response begins; afterwards, an error is part of the stream
   */
  async create(chat: ChatCall, call: Call, reply: FastifyReply): Promise<void> {
    const agent = await this.models.find(chat.model);
    const { messages, schema, thinkingValue } = chat;
    const asked = await this.requests.ask({ fields: chat, agent, messages, schema, thinkingValue }, call);
    // A form that the host checks is known only at the end.
    const answer = new Answer(schema === undefined ? agent.answeringStage : undefined);
    const run = { ...asked, chat, call, answer };
    reply.header('x-request-id', asked.request.requestId);
    return chat.stream ? this.#stream(run, reply) : this.#whole(run, reply);
  }

  /** The gateway stops: open calls end, and their requests go on. */
  stop(): void {
    this.#stopping.abort();
  }

  async #whole(run: ChatRun, reply: FastifyReply): Promise<void> {
    const { request, chat, answer } = run;
    const outcome = await this.#follow(run, reply.raw, SILENT, 'answer');
    if (outcome === 'disconnected') return void reply.hijack();
    const problem = this.#problemOf(outcome, request);
    if (problem) throw new ReinsError(problem);
    const text = textOf(outcome, chat);
    const reins = reinsFields(request, answer.question);
    const { usage } = answer;
    reply.send(completion(completionHead(request, chat.model), { text, usage, reins, metadata: chat.metadata }));
  }

  async #stream(run: ChatRun, reply: FastifyReply): Promise<void> {
    const { request, chat, answer } = run;
    const response = new ResponseSink(reply, { 'x-request-id': request.requestId });
    const chunks = new Chunks(completionHead(request, chat.model), chat.includeUsage);
    response.write(chunks.role());
    const reader: AnswerReader = {
      part: (part: AnswerPart) => response.write(part.kind === 'text' ? chunks.text(part.text) : chunks.progress(part)),
      answered: () => {
        const end = answer.end ?? (answer.question && { status: 'question' as const, question: answer.question });
        const missing = end && answer.missingText(textOf(end, chat));
        if (missing) response.write(chunks.text(missing));
      },
      heartbeat: () => response.write(HEARTBEAT),
      get pendingBytes() {
        return response.pendingBytes;
      },
      drained: () => response.drained(),
    };
    try {
      const outcome = await this.#follow(run, reply.raw, reader, 'narration');
      if (outcome === 'disconnected') return;
      if (outcome.status === 'open' && outcome.reason === 'too_slow') return response.abort();
      const problem = this.#problemOf(outcome, request);
      if (problem) response.write(serverSent(openAiError([problem])));
      else {
        response.write(chunks.stop(reinsFields(request, answer.question)));
        if (chat.includeUsage) response.write(chunks.usage(answer.usage));
        response.write(DONE);
      }
    } catch (error) {
      response.write(serverSent(openAiError([problemOf(error)])));
    }
    response.end();
  }

  /** Follows the request of a call. If the client disconnects, the answer is lost, so the request is cancelled. */
  async #follow(
    { request, afterSeq, answer, call }: ChatRun,
    connection: FastifyReply['raw'],
    reader: AnswerReader,
    until: FollowUntil,
  ): Promise<AnswerOutcome | 'disconnected'> {
    const gone = new AbortController();
    const onClose = (): void => gone.abort();
    connection.once('close', onClose);
    if (connection.destroyed) gone.abort();
    const late = AbortSignal.timeout(this.settings.protocols.openai.maxWaitSeconds * 1000);
    const signal = AbortSignal.any([gone.signal, late, this.#stopping.signal]);
    const outcome = await this.answers.follow(request, answer, reader, { signal, afterSeq, until });
    connection.off('close', onClose);
    if (outcome.status !== 'open' || !gone.signal.aborted) return outcome;
    if (this.#isAbandoned(call)) await this.#cancel(request, call);
    return 'disconnected';
  }

  /** Whether the answer is lost with the connection. With an idempotency key, the client can repeat the call. */
  #isAbandoned({ idempotencyKey }: Call): boolean {
    return idempotencyKey === undefined && !this.#stopping.signal.aborted;
  }

  async #cancel({ requestId }: AcceptedRequest, { caller }: Call): Promise<void> {
    // The request may have ended by now.
    await this.gateway.cancel(requestId, { reason: 'the client disconnected' }, { caller }).catch(() => undefined);
  }

  /** Why there is no answer. */
  #problemOf(outcome: AnswerOutcome, { requestId }: AcceptedRequest): Problem | undefined {
    switch (outcome.status) {
      case 'failed': {
        const { code, message } = outcome.error;
        return {
          code: 'request_failed',
          message: `the request failed: ${message} (${code})`,
          hint: seeRequest(requestId),
        };
      }
      case 'cancelled': {
        const reason = outcome.reason === undefined ? '' : `: ${outcome.reason}`;
        return { code: 'request_cancelled', message: `the request was cancelled${reason}` };
      }
      case 'open':
        return this.#stopping.signal.aborted ? stopping(requestId) : this.#tooLate(requestId);
      default:
        return undefined;
    }
  }

  #tooLate(requestId: string): Problem {
    const seconds = this.settings.protocols.openai.maxWaitSeconds;
    const message = `the request has no answer after ${seconds} seconds; it continues`;
    return {
      code: 'answer_late',
      message,
      hint: `${seeRequest(requestId)}, or raise protocols.openai.maxWaitSeconds.`,
    };
  }
}

const seeRequest = (requestId: string): string => `See GET /api/v1/requests/${requestId}`;

const stopping = (requestId: string): Problem => ({
  code: 'service_unavailable',
  message: 'the gateway stops; the request continues',
  hint: seeRequest(requestId),
});

/** The text of an answer: that of its output, or the question. */
function textOf(outcome: AnswerOutcome, { schema }: ChatCall): string {
  if (outcome.status === 'question') return outcome.question.text;
  const output: JsonValue = outcome.status === 'completed' ? outcome.output : null;
  return schema === undefined ? plainText(output) : jsonText(output);
}
