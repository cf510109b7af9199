import { type BusMessage, type Claim, type Claims, claimKey, crashPoint, inline } from '@reins/bus';
import { defined, type Problem, parseEvent, ReinsError, type RuntimeStageRequested } from '@reins/contracts';
import { assertAnswerable, type StageAnswer } from './answers.ts';
import { failedAnswer, unknownAnswer } from './outcome.ts';
import { retryWhileClaimed } from './retry-while-claimed.ts';
import type { StagePorts } from './stage-ports.ts';
import { type ClaimedStage, StageRun } from './stage-run.ts';

/**
 * Handles stage requests. Exactly one host, the one that holds the claim, runs an attempt. If the host with
 * the claim is gone, the answer is `unknown`. If the attempt was already answered, the stored answer is sent again.
 */
export class StageWorker {
  readonly #ports: StagePorts;
  readonly #claims: Claims;
  #held = 0;

  constructor(ports: StagePorts, claims: Claims) {
    this.#ports = ports;
    this.#claims = claims;
  }

  /** The number of held claims. */
  get held(): number {
    return this.#held;
  }

  /** Resolves when the request is answered, or needs no answer; rejects when it must be redelivered. */
  async handle(message: BusMessage): Promise<void> {
    if (message.isLogOnly) return;
    const event = await this.#requestOf(message);
    // Loads the host request while claiming the stage. An error is handled when the stage awaits it.
    const hostRequest = this.#ports.blobs.get(event.hostRequestRef);
    hostRequest.catch(() => undefined);
    const claim = await this.#claims.take(claimKey(event.effectId, event.resume?.number), event.attempt);
    switch (claim.outcome) {
      case 'taken':
        // If this process dies from now on, the claim shows it: the next host answers `unknown` and does not run the
        // stage.
        await message.clearPoisonSuspicion();
        return this.#perform(message, event, { claim: claim.held, hostRequest });
      case 'busy':
        throw claimedElsewhere(event);
      case 'expired':
        return this.#answer(message, event, unknownAnswer(lostHostMessage(claim.claim)));
      case 'answered':
        return this.#answer(message, event, await this.#loadAnswer(claim.claim));
      case 'superseded':
        return;
    }
  }

  /** Runs a claimed stage. Stores the answer in the claim before sending it, so that there can be no other answer. */
  async #perform(message: BusMessage, event: RuntimeStageRequested, claimed: ClaimedStage): Promise<void> {
    const { answers } = this.#ports;
    const { claim: held } = claimed;
    const run = new StageRun(this.#ports, event, message, claimed);
    this.#held += 1;
    try {
      crashPoint('claim.taken');
      const answer = await run.execute();
      const stored = await retryWhileClaimed(held, () => answers.store(answer));
      if (!(await retryWhileClaimed(held, () => held.answered(stored)))) return;
      crashPoint('answer.kept');
      await retryWhileClaimed(held, () => answers.send(message, event, answer));
      crashPoint('stage.answered');
    } finally {
      this.#held -= 1;
      await Promise.all([held.release(), run.dispose()]);
    }
  }

  /** Answers a dead-lettered request as failed, so that its run does not wait for ever. */
  async deadLetter(message: BusMessage, { code, message: text, path, hint }: Problem): Promise<void> {
    const event = await this.#requestOf(message).catch(() => undefined);
    const info = { code, message: text, ...defined({ path, hint }) };
    if (event) await this.#answer(message, event, failedAnswer(info, false));
  }

  /** Parses a request and checks that it can be answered. */
  async #requestOf(message: BusMessage): Promise<RuntimeStageRequested> {
    const event = parseEvent(await inline(this.#ports.blobs, message.data));
    if (event.type !== 'runtime.stage.requested')
      throw new ReinsError({
        code: 'message_invalid',
        message: `a harness host does not handle ${event.type}`,
        path: 'type',
      });
    assertAnswerable(message);
    return event;
  }

  #answer(message: BusMessage, event: RuntimeStageRequested, answer: StageAnswer): Promise<void> {
    return this.#ports.answers.send(message, event, answer);
  }

  async #loadAnswer(claim: Claim): Promise<StageAnswer> {
    return (await this.#ports.answers.load(claim)) ?? unknownAnswer('the stored answer is missing');
  }
}

function claimedElsewhere({ effectId }: RuntimeStageRequested): ReinsError {
  return new ReinsError({ code: 'stage_claimed', message: 'another host is running the stage', path: effectId });
}

const lostHostMessage = ({ host }: Claim): string => `the harness host ${host} started the stage and is gone`;
