import { type BusMessage, type Claim, type Claims, crashPoint, inline } from '@reins/bus';
import { type Problem, parseEvent, ReinsError, type RuntimeStageRequested } from '@reins/contracts';
import { assertAnswerable, type StageAnswer } from './answers.ts';
import { failedAnswer, unknownAnswer } from './outcome.ts';
import { retryWhileClaimed } from './retry-while-claimed.ts';
import type { StagePorts } from './stage-ports.ts';
import { type ClaimedStage, StageRun } from './stage-run.ts';

/**
 * Takes stage requests, each attempt once among all hosts: whoever claims it works, whoever finds it begun by a host that is gone
 * answers `unknown`, whoever finds it answered sends that answer again.
 */
export class StageWorker {
  readonly #ports: StagePorts;
  readonly #claims: Claims;
  #held = 0;

  constructor(ports: StagePorts, claims: Claims) {
    this.#ports = ports;
    this.#claims = claims;
  }

  /** Claims that are kept alive. */
  get held(): number {
    return this.#held;
  }

  /** Returns when the request is answered; throws when it has to be handed out again. */
  async handle(message: BusMessage): Promise<void> {
    const event = await this.#requestOf(message);
    // What is to be done is read while the claim is on its way. Nobody may need it, or it may not be there: the stage will tell.
    const hostRequest = this.#ports.blobs.get(event.hostRequestRef);
    hostRequest.catch(() => undefined);
    const claim = await this.#claims.take(event.effectId, event.attempt);
    switch (claim.outcome) {
      case 'taken':
        // Should this process end now, the claim says so: the next host answers `unknown`, and does not begin again.
        await message.absolve();
        return this.#perform(message, event, { held: claim.held, hostRequest });
      case 'busy':
        throw claimed(event);
      case 'expired':
        return this.#answer(message, event, unknownAnswer(lostHostMessage(claim.claim)));
      case 'answered':
        return this.#answer(message, event, await this.#loadAnswer(claim.claim));
      case 'superseded':
        return;
    }
  }

  /** Does the work under a claim. The answer is kept before it is sent: from then on it is the only one that there can be. */
  async #perform(message: BusMessage, event: RuntimeStageRequested, taken: ClaimedStage): Promise<void> {
    const { answers } = this.#ports;
    const { held } = taken;
    const run = new StageRun(this.#ports, event, message, taken);
    this.#held += 1;
    try {
      crashPoint('claim.taken');
      const answer = isLate(event, message) ? startExpired() : await run.execute();
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

  /** A request that will not be handled any more must not leave its run waiting. */
  async deadLetter(message: BusMessage, { code, message: text, path, hint }: Problem): Promise<void> {
    const event = await this.#requestOf(message).catch(() => undefined);
    const info = { code, message: text, ...(path !== undefined && { path }), ...(hint !== undefined && { hint }) };
    if (event) await this.#answer(message, event, failedAnswer(info, false));
  }

  /** A request that can be answered. */
  async #requestOf(message: BusMessage): Promise<RuntimeStageRequested> {
    const event = parseEvent(await inline(this.#ports.blobs, message.data));
    if (event.type !== 'runtime.stage.requested')
      throw new ReinsError({ code: 'message_invalid', message: `a host takes no ${event.type}`, path: 'type' });
    assertAnswerable(message);
    return event;
  }

  #answer(message: BusMessage, event: RuntimeStageRequested, answer: StageAnswer): Promise<void> {
    return this.#ports.answers.send(message, event, answer);
  }

  async #loadAnswer(claim: Claim): Promise<StageAnswer> {
    return (await this.#ports.answers.load(claim)) ?? unknownAnswer('the answer was not kept');
  }
}

/** Time in a queue is not time at work: it has a limit of its own. */
function isLate({ limits }: RuntimeStageRequested, message: BusMessage): boolean {
  return Date.now() - message.time.getTime() > limits.startWithinMs;
}

function startExpired(): StageAnswer {
  return failedAnswer({ code: 'stage_start_expired', message: 'no host had a place for the stage in time' }, true);
}

function claimed({ effectId }: RuntimeStageRequested): ReinsError {
  return new ReinsError({ code: 'stage_claimed', message: 'another host works on the stage', path: effectId });
}

const lostHostMessage = ({ host }: Claim): string => `the harness host ${host} began the stage and is gone`;
