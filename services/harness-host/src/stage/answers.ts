import { type Blobs, type BusMessage, causedBy, type EventPublisher, type StoredAnswer } from '@reins/bus';
import {
  type AnyEvent,
  type EffectProgress,
  parseJson,
  problemsOfEvent,
  ReinsError,
  type RuntimeStageCancelled,
  type RuntimeStageClaimed,
  type RuntimeStageCompleted,
  type RuntimeStageFailed,
  type RuntimeStageRequested,
  type RuntimeStageStarted,
  type RuntimeStageWaiting,
  replySubject,
} from '@reins/contracts';

/** The fields that every answer copies from its request. */
type Head = 'requestId' | 'sessionId' | 'agentId' | 'workspaceId' | 'effectId' | 'stage' | 'runtimeId' | 'attempt';
type Fields<T> = Omit<T, Head>;

/** A report or an answer without the fields of its request. */
export type StageAnswer =
  | Fields<RuntimeStageClaimed>
  | Fields<EffectProgress>
  | Fields<RuntimeStageStarted>
  | Fields<RuntimeStageWaiting>
  | Fields<RuntimeStageCompleted>
  | Fields<RuntimeStageFailed>
  | Fields<RuntimeStageCancelled>;

const encoder = new TextEncoder();
/** An answer up to this size is stored in its claim. */
const SMALL_BYTES = 16 * 1024;

/** @throws ReinsError `subject_invalid` when the request has no valid reply subject */
export function assertAnswerable({ event }: BusMessage): void {
  replySubject(event.reply ?? '', 'runtime.stage.started');
}

/** Sends the answers of stages to the reply subjects of their requests. */
export class Answers {
  readonly #events: EventPublisher;
  readonly #blobs: Blobs;

  constructor(events: EventPublisher, blobs: Blobs) {
    this.#events = events;
    this.#blobs = blobs;
  }

  /**
   * Resolves when the answer is durable. Its id is derived from the id of the request, so that a repeated answer is
   * stored once.
   * @throws ReinsError `subject_invalid` when the request has no valid reply subject
   */
  async send(message: BusMessage, request: RuntimeStageRequested, answer: StageAnswer, nth = 0): Promise<void> {
    const { id, reply = '', source } = message.event;
    await this.#events.publish({
      id: `${id}.${answer.type}${nth > 0 ? `.${nth}` : ''}`,
      subject: replySubject(reply, answer.type),
      body: bodyOf(request, answer),
      source,
      ...causedBy(message),
    });
  }

  /** Prepares an answer for storage in its claim: as a value if it is small, else as a blob reference. */
  async store(answer: StageAnswer): Promise<StoredAnswer> {
    const bytes = encoder.encode(JSON.stringify(answer));
    if (bytes.length <= SMALL_BYTES) return { answer };
    return { answerRef: (await this.#blobs.put(bytes)).sha256 };
  }

  /** Loads a stored answer. */
  async load({ answer, answerRef }: StoredAnswer): Promise<StageAnswer | undefined> {
    if (answer !== undefined) return answer as StageAnswer;
    return answerRef === undefined ? undefined : (parseJson(await this.#blobs.get(answerRef)) as StageAnswer);
  }
}

function bodyOf(request: RuntimeStageRequested, answer: StageAnswer): AnyEvent {
  const { requestId, sessionId, agentId, workspaceId, effectId, stage, runtimeId, attempt } = request;
  const head = { requestId, sessionId, agentId, workspaceId, effectId, stage, runtimeId, attempt };
  const resumption = request.resume && { resumption: request.resume.number };
  const body = { ...head, ...resumption, ...answer };
  const problems = problemsOfEvent(body);
  // The executor's output was validated before. An invalid answer is a bug and must not reach the inbox.
  if (problems.length > 0)
    throw new ReinsError({ code: 'internal_error', message: `invalid answer: ${problems[0]?.message}` });
  return body;
}
