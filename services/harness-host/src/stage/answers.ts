import { type Blobs, type BusMessage, externalise, type KeptAnswer, type OrderedPublisher } from '@reins/bus';
import {
  type AnyEvent,
  parseJson,
  problemsOfEvent,
  ReinsError,
  type RuntimeStageCancelled,
  type RuntimeStageCompleted,
  type RuntimeStageFailed,
  type RuntimeStageRequested,
  type RuntimeStageStarted,
  type RuntimeStageWaiting,
  replySubject,
} from '@reins/contracts';

/** What every answer takes from its request. */
type Head = 'requestId' | 'sessionId' | 'agentId' | 'workspaceId' | 'effectId' | 'stage' | 'runtimeId' | 'attempt';
type Fields<T> = Omit<T, Head>;

/** An answer without what it takes from its request: the fact that would be true. */
export type StageAnswer =
  | Fields<RuntimeStageStarted>
  | Fields<RuntimeStageWaiting>
  | Fields<RuntimeStageCompleted>
  | Fields<RuntimeStageFailed>
  | Fields<RuntimeStageCancelled>;

const encoder = new TextEncoder();
/** Up to this size an answer lies in its claim. */
const SMALL_BYTES = 16 * 1024;

/** @throws ReinsError `subject_invalid` when the request does not say where its answers go */
export function assertAnswerable({ event }: BusMessage): void {
  replySubject(event.reply ?? '', 'runtime.stage.started');
}

/** Sends the answers of stages to where their requests say. */
export class Answers {
  readonly #publisher: OrderedPublisher;
  readonly #blobs: Blobs;

  constructor(publisher: OrderedPublisher, blobs: Blobs) {
    this.#publisher = publisher;
    this.#blobs = blobs;
  }

  /**
   * Resolves when it is durable. Its id follows from the request's, so that a repeated one is stored once.
   * @throws ReinsError `subject_invalid` when the request does not say where its answer goes
   */
  async send(message: BusMessage, request: RuntimeStageRequested, answer: StageAnswer, nth = 0): Promise<void> {
    const data = await externalise(this.#blobs, encoder.encode(JSON.stringify(bodyOf(request, answer))));
    const { id, reply = '', source, traceparent } = message.event;
    const headers = {
      id: `${id}.${answer.type}${nth > 0 ? `.${nth}` : ''}`,
      type: answer.type,
      source,
      time: new Date().toISOString(),
      causation: id,
      ...(traceparent && { traceparent }),
    };
    await this.#publisher.publishAll([{ subject: replySubject(reply, answer.type), data, headers }]);
  }

  /** Keeps an answer for repeats of its request: a small one lies in the claim itself. */
  async store(answer: StageAnswer): Promise<KeptAnswer> {
    const bytes = encoder.encode(JSON.stringify(answer));
    if (bytes.length <= SMALL_BYTES) return { answer };
    return { answerRef: (await this.#blobs.put(bytes)).sha256 };
  }

  /** One that was kept. */
  async load({ answer, answerRef }: KeptAnswer): Promise<StageAnswer | undefined> {
    if (answer !== undefined) return answer as StageAnswer;
    return answerRef === undefined ? undefined : (parseJson(await this.#blobs.get(answerRef)) as StageAnswer);
  }
}

function bodyOf(request: RuntimeStageRequested, answer: StageAnswer): AnyEvent {
  const { requestId, sessionId, agentId, workspaceId, effectId, stage, runtimeId, attempt } = request;
  const head = { requestId, sessionId, agentId, workspaceId, effectId, stage, runtimeId, attempt };
  const body = { ...head, ...answer };
  const problems = problemsOfEvent(body);
  // What an executor says is checked before; an answer of the wrong shape is a mistake of ours, and must not reach the inbox.
  if (problems.length > 0)
    throw new ReinsError({ code: 'internal_error', message: `a wrong answer: ${problems[0]?.message}` });
  return body;
}
