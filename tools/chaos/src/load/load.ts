import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@reins/embedded';
import { Random } from '../random.ts';
import { type Gateway, type SubmitBody, textField } from '../system/gateway.ts';
import { Acknowledgements, cancelOf } from './acknowledgements.ts';
import { answerQuestions } from './answer-questions.ts';
import { type PlannedRequest, REQUEST_KINDS, type RequestKind } from './kinds.ts';
import { retryUntilAnswered } from './retry-until-answered.ts';
import { sendSignals } from './send-signals.ts';
import { uploadWorkspaces, WORKSPACES, type WorkspaceName } from './workspaces.ts';

/** A request that the gateway has accepted, so that the system has to end it. */
export interface AcceptedRequest {
  readonly requestId: string;
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly planned: PlannedRequest;
  /** The request ids in the responses to its idempotency key. */
  readonly answeredWith: readonly string[];
}

export interface LoadResult {
  readonly accepted: readonly AcceptedRequest[];
  /** Submissions that the gateway rejected or did not answer. This load gives it no reason to. */
  readonly refused: readonly string[];
}

export interface LoadOptions {
  readonly gateway: Gateway;
  readonly seed: number;
  /** Requests per second. */
  readonly rate: number;
  /** Kinds in addition to the usual ones. */
  readonly kinds?: readonly RequestKind[];
}

const MAX_SUBMITTING = 50;
/** One in this many submissions is repeated with the same idempotency key. */
const REPEAT_ONE_IN = 8;

/** Submits mixed requests at a steady rate until it is stopped. */
export class Load {
  /** The cancels, answers and ends that its clients know of. */
  readonly acknowledged = new Acknowledgements();
  readonly #gateway: Gateway;
  readonly #rate: number;
  readonly #random: Random;
  readonly #kinds: readonly RequestKind[];
  readonly #accepted: AcceptedRequest[] = [];
  readonly #refused: string[] = [];
  readonly #acceptedAt = new Map<string, number>();
  readonly #submitting = new Set<Promise<void>>();
  readonly #answering = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  readonly #stopAnswering = new AbortController();
  readonly #running: Promise<void>;
  #number = 0;

  private constructor(
    { gateway, kinds = [], rate, seed }: LoadOptions,
    revisions: Readonly<Record<WorkspaceName, string>>,
  ) {
    this.#gateway = gateway;
    this.#rate = rate;
    this.#random = new Random(seed + 1);
    this.#kinds = [...REQUEST_KINDS, ...kinds];
    this.#running = this.#run(revisions);
  }

  static async start(options: LoadOptions): Promise<Load> {
    return new Load(options, await uploadWorkspaces(options.gateway));
  }

  /** When the response to each accepted request arrived, in milliseconds since the epoch. */
  get acceptedAt(): ReadonlyMap<string, number> {
    return this.#acceptedAt;
  }

  /** Stops submitting, and waits for outstanding responses. Questions are still answered. */
  async stop(): Promise<LoadResult> {
    this.#stop.abort();
    await this.#running;
    await Promise.all(this.#submitting);
    return { accepted: this.#accepted, refused: this.#refused };
  }

  /** Stops everything without waiting for responses: the system has failed. */
  async abandon(): Promise<void> {
    this.#stop.abort();
    this.#stopAnswering.abort();
    await this.#running;
  }

  /** Stops answering questions. */
  async stopAnswering(): Promise<void> {
    this.#stopAnswering.abort();
    await Promise.all(this.#answering);
  }

  async #run(revisions: Readonly<Record<WorkspaceName, string>>): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      if (this.#submitting.size < MAX_SUBMITTING) this.#submitNext(revisions);
      await sleep(1_000 / this.#rate, undefined, { signal }).catch(() => {});
    }
  }

  #submitNext(revisions: Readonly<Record<WorkspaceName, string>>): void {
    this.#number += 1;
    const { kind, plan } = this.#random.weighted(this.#kinds);
    for (const planned of plan(this.#random, this.#number)) {
      const repeat = this.#random.between(1, REPEAT_ONE_IN) === 1;
      this.#track(this.#submitting, kind, this.#submit({ kind, ...planned }, revisions[planned.workspace], repeat));
    }
  }

  /** Tracks running work. A failure counts as rejected by the gateway. */
  #track(running: Set<Promise<void>>, kind: string, work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => void this.#refused.push(`${kind}: ${messageOf(error)}`))
      .finally(() => running.delete(tracked));
    running.add(tracked);
  }

  async #submit(planned: PlannedRequest, revision: string, repeat: boolean): Promise<void> {
    const body: SubmitBody = {
      workspace: { id: WORKSPACES[planned.workspace], revision },
      input: planned.input,
      ...(planned.stages && { stages: planned.stages }),
      ...(planned.session !== undefined && { sessionId: `session-${planned.session}` }),
    };
    const key = randomUUID();
    const post = () => retryUntilAnswered(() => this.#gateway.post('/requests', body, key));
    const { response } = await post();
    if (response.status !== 202) throw new Error(`${response.status} ${JSON.stringify(response.body)}`);
    const requestId = textField(response, 'requestId');
    this.#acceptedAt.set(requestId, Date.now());
    const again = repeat ? [textField((await post()).response, 'requestId')] : [];
    // A restore may have removed the request in between. Then the repeated call has submitted another one.
    const lastId = again.at(-1) ?? requestId;
    if (lastId !== requestId) this.#acceptedAt.set(lastId, Date.now());
    const { id: workspaceId } = body.workspace;
    const sessionId = textField(response, 'sessionId');
    this.#accepted.push({
      requestId,
      workspaceId,
      sessionId,
      planned,
      answeredWith: [requestId, ...again],
    });
    if (planned.signals !== undefined) await sendSignals(this.#gateway, lastId, planned.signals);
    if (planned.cancelAfterMs !== undefined) await this.#cancel(lastId, planned.cancelAfterMs);
    if (planned.answer === undefined) return;
    const user = answerQuestions(
      this.#gateway,
      { requestId: lastId, answer: planned.answer },
      this.acknowledged,
      this.#stopAnswering.signal,
    );
    this.#track(this.#answering, planned.kind, user);
  }

  /** Expects 202, or 409 when the request has ended meanwhile. */
  async #cancel(requestId: string, afterMs: number): Promise<void> {
    await sleep(afterMs);
    const key = randomUUID();
    const post = () => this.#gateway.post(`/requests/${requestId}/cancel`, {}, key);
    const answered = await retryUntilAnswered(post);
    const { response } = answered;
    if (response.status === 202 || response.status === 409) return this.acknowledged.add(cancelOf(requestId), answered);
    throw new Error(`the cancel of ${requestId}: ${response.status} ${JSON.stringify(response.body)}`);
  }
}
