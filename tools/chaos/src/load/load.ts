import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@reins/embedded';
import { Random } from '../random.ts';
import { type Gateway, type SubmitBody, textField } from '../system/gateway.ts';
import { answerQuestions } from './answer-questions.ts';
import { type PlannedRequest, REQUEST_KINDS } from './kinds.ts';
import { retryUntilAnswered } from './retry-until-answered.ts';
import { uploadWorkspaces, WORKSPACES, type WorkspaceName } from './workspaces.ts';

/** A request that the gateway has accepted: from then on the system has to end it. */
export interface AcceptedRequest {
  readonly requestId: string;
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly planned: PlannedRequest;
  /** The ids that calls with its idempotency key were answered with. */
  readonly answeredWith: readonly string[];
}

export interface LoadResult {
  readonly accepted: readonly AcceptedRequest[];
  /** What the gateway refused, or never answered: with this load it has no reason to. */
  readonly refused: readonly string[];
}

export interface LoadOptions {
  readonly gateway: Gateway;
  readonly seed: number;
  /** Requests in a second. */
  readonly rate: number;
}

const MAX_SUBMITTING = 50;
/** One of so many submissions is made twice with one idempotency key. */
const REPEAT_ONE_IN = 8;

/** Submits mixed requests at a steady rate, until it is stopped. */
export class Load {
  readonly #gateway: Gateway;
  readonly #rate: number;
  readonly #random: Random;
  readonly #accepted: AcceptedRequest[] = [];
  readonly #refused: string[] = [];
  readonly #submitting = new Set<Promise<void>>();
  readonly #users = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  readonly #away = new AbortController();
  readonly #running: Promise<void>;
  #number = 0;

  private constructor({ gateway, rate, seed }: LoadOptions, revisions: Readonly<Record<WorkspaceName, string>>) {
    this.#gateway = gateway;
    this.#rate = rate;
    this.#random = new Random(seed + 1);
    this.#running = this.#run(revisions);
  }

  static async start(options: LoadOptions): Promise<Load> {
    return new Load(options, await uploadWorkspaces(options.gateway));
  }

  /** Ends the load, and waits for the answers that are on their way. Users stay with their requests, however long those take. */
  async stop(): Promise<LoadResult> {
    this.#stop.abort();
    await this.#running;
    await Promise.all(this.#submitting);
    return { accepted: this.#accepted, refused: this.#refused };
  }

  /** Calls the users away: nobody answers a question any more. */
  async leave(): Promise<void> {
    this.#away.abort();
    await Promise.all(this.#users);
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
    const { kind, plan } = this.#random.weighted(REQUEST_KINDS);
    for (const planned of plan(this.#random, this.#number)) {
      const repeat = this.#random.between(1, REPEAT_ONE_IN) === 1;
      this.#keep(this.#submitting, kind, this.#submit({ kind, ...planned }, revisions[planned.workspace], repeat));
    }
  }

  /** As long as it is under way; a failure is one of the gateway. */
  #keep(under: Set<Promise<void>>, kind: string, work: Promise<void>): void {
    const kept = work
      .catch((error: unknown) => void this.#refused.push(`${kind}: ${messageOf(error)}`))
      .finally(() => under.delete(kept));
    under.add(kept);
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
    const { answer } = await post();
    if (answer.status !== 202) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    const requestId = textField(answer, 'requestId');
    const again = repeat ? [textField((await post()).answer, 'requestId')] : [];
    const { id: workspaceId } = body.workspace;
    const sessionId = textField(answer, 'sessionId');
    this.#accepted.push({ requestId, workspaceId, sessionId, planned, answeredWith: [requestId, ...again] });
    if (planned.cancelAfterMs !== undefined) await this.#cancel(requestId, planned.cancelAfterMs);
    if (planned.answer === undefined) return;
    const user = answerQuestions(this.#gateway, { requestId, answer: planned.answer }, this.#away.signal);
    this.#keep(this.#users, planned.kind, user);
  }

  /** Answered with 202, or with 409 where it has ended meanwhile. */
  async #cancel(requestId: string, afterMs: number): Promise<void> {
    await sleep(afterMs);
    const key = randomUUID();
    const { answer } = await retryUntilAnswered(() => this.#gateway.post(`/requests/${requestId}/cancel`, {}, key));
    if (answer.status === 202 || answer.status === 409) return;
    throw new Error(`the cancel of ${requestId}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
}
