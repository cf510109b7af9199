import { Injectable } from '@nestjs/common';
import { defined, type JsonObject } from '@reins/contracts';
import { Admission } from '../../admission.ts';
import { AttachmentStore } from '../../attachments/attachment-store.ts';
import { type Accepted, type Call, GatewayService } from '../../gateway.service.ts';
import { RequestReader } from '../../requests/request-reader.ts';
import type { AcceptedRequest } from '../../requests/request-records.ts';
import type { SubmitRequest } from '../../requests/requests.dto.ts';
import type { OpenQuestion } from '../answer/answer.ts';
import { RequestEvents } from '../answer/follow.ts';
import type { CommonFields } from './call-fields.ts';
import { type Message, promptOf } from './messages.ts';
import type { AgentModel } from './models/agent-models.ts';

/** The protocol in the metadata of a request. */
const PROTOCOL = 'openai-compatible';

/** What a call asks for. */
export interface AskedFor {
  readonly fields: CommonFields;
  readonly agent: AgentModel;
  readonly messages: readonly Message[];
  readonly schema: JsonObject | undefined;
  readonly thinkingValue: string | undefined;
  /** The request that waits for the message; null: none. Default: the one that waits in the session. */
  readonly continued?: Continued | null | undefined;
}

/** A request that waits for the answer to a question. */
export interface Continued {
  readonly request: AcceptedRequest;
  readonly question: Pick<OpenQuestion, 'effectId' | 'questionNumber'>;
}

/** The request that answers a call. */
export interface Asked {
  readonly request: AcceptedRequest;
  /** The answer is in the events after this sequence. */
  readonly afterSeq: number;
}

/** Turns calls of OpenAI clients into requests, like `POST /requests`. */
@Injectable()
export class OpenAiRequests {
  constructor(
    private readonly gateway: GatewayService,
    private readonly reader: RequestReader,
    private readonly events: RequestEvents,
    private readonly attachments: AttachmentStore,
    private readonly admission: Admission,
  ) {}

  /**
   * Submits a request. If the session of the call has a request that waits for the user, the new message is its answer.
   * @throws ReinsError as `GatewayService.submit`
   */
  async ask(asked: AskedFor, call: Call): Promise<Asked> {
    const continued = asked.continued === undefined ? await this.#waitingIn(asked) : asked.continued;
    if (continued) return this.#answer(continued, asked, call);
    const { record } = await this.#submit(asked, call);
    return { request: record, afterSeq: 0 };
  }

  async #submit({ fields, agent, messages, schema, thinkingValue }: AskedFor, call: Call): Promise<Accepted> {
    const { metadata, sessionId, user } = fields;
    const { instruction, files } = promptOf(messages, sessionId !== undefined);
    if (files.length > 0) this.admission.assertAvailable('uploads');
    const attachments = await Promise.all(files.map((file) => this.attachments.put(file)));
    const context = schema === undefined ? {} : { context: { outputSchema: schema } };
    const body: SubmitRequest = {
      workspace: { id: agent.workspaceId },
      input: instruction,
      ...(attachments.length > 0 && { attachments }),
      ...defined({ agentId: agent.agentId, sessionId, thinkingValue }),
      metadata: { ...metadata, ...defined({ user }), protocol: PROTOCOL, ...context },
    };
    return this.gateway.submit(body, call);
  }

  /** The request in the session of a call that waits for the user. */
  async #waitingIn({ fields: { sessionId }, agent: { workspaceId } }: AskedFor): Promise<Continued | undefined> {
    if (sessionId === undefined) return undefined;
    const { requests } = await this.reader.list({ workspaceId, sessionId, status: 'waiting', limit: 1 });
    const { requestId, waiting } = requests[0] ?? {};
    if (requestId === undefined || waiting?.reason !== 'user') return undefined;
    return { request: await this.gateway.find(requestId), question: waiting };
  }

  /** Answers the question of a request. Its next answer is in the events from now on. */
  async #answer({ request, question }: Continued, { messages }: AskedFor, call: Call): Promise<Asked> {
    const { effectId, questionNumber } = question;
    const afterSeq = await this.events.lastSeq();
    const answer = promptOf(messages, true).instruction;
    const command = { type: 'command.run.answer', effectId, answer, ...defined({ questionNumber }) } as const;
    await this.gateway.command(request.requestId, call, { ...command, answeredBy: call.caller.name });
    return { request, afterSeq };
  }
}
